"""A model server in another language: written from proto/callengine/models/v1/models.proto alone, with Debian's python3-grpcio.

It knows nothing and tells what it was sent: its transcripts name the voiced sound, its voices are tones. Usage: model-server.py <token>
"""

import array
import importlib
import math
import os
import sys
import tempfile
import time
from concurrent import futures

# Debian's compiler is older than its protobuf, which then takes its output only so.
os.environ["PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION"] = "python"

import grpc
from grpc_tools import protoc


def compiled(folder, path):
    if protoc.main(["", "-I.", "--python_out=" + folder, "--grpc_python_out=" + folder, path]) != 0:
        sys.exit(path + " does not compile")


with tempfile.TemporaryDirectory() as folder:
    # Flat copies, because a package called grpc would hide the library.
    for source, name in (("callengine/models/v1/models", "models"), ("grpc/health/v1/health", "health")):
        with open(source + ".proto") as text, open(os.path.join(folder, name + ".proto"), "w") as copy:
            copy.write(text.read())
    os.chdir(folder)
    for name in ("models", "health"):
        compiled(folder, name + ".proto")
    sys.path.insert(0, folder)
    pb, services, health_pb, health_services = (
        importlib.import_module(name) for name in ("models_pb2", "models_pb2_grpc", "health_pb2", "health_pb2_grpc")
    )
    os.chdir("/")

RATE = 16000

# How many streams of each method are open; told as the server's name.
streams = {}


def watched(method):
    """Counts a stream from its first message until its client has left, or all is said."""

    def serve(self, request, context):
        name = method.__name__
        streams[name] = streams.get(name, 0) + 1
        left = []

        def over():
            if not left:
                left.append(True)
                streams[name] -= 1

        if not context.add_callback(over):
            over()
        yield from method(self, request, context)

    return serve


def loudness(samples):
    return math.sqrt(sum(s * s for s in samples) / len(samples)) if len(samples) else 0.0


class ModelServer(services.ModelServerServicer):
    def Describe(self, request, context):
        linear = pb.AudioFormat(encoding=pb.ENCODING_LINEAR16, sample_rate=RATE)
        return pb.DescribeResponse(
            name=" ".join(["tones"] + ["%s:%d" % item for item in sorted(streams.items())]),
            transcriber=pb.TranscriberDescription(languages=["en", "de"], final_ms=20),
            synthesizer=pb.SynthesizerDescription(
                languages=["en"], voices=[pb.Voice(id="tone", name="Tone", description="A tone.")], formats=[linear]
            ),
            turn_detector=pb.TurnDetectorDescription(window_ms=2000),
            generator=pb.GeneratorDescription(models=[pb.Model(id="echo", name="Echo"), pb.Model(id="endless")]),
        )

    @watched
    def Transcribe(self, requests, context):
        pushed = voiced = 0
        utterance = 1
        for request in requests:
            kind = request.WhichOneof("request")
            if kind == "audio":
                samples = array.array("h", request.audio)
                pushed += len(samples)
                if loudness(samples) > 500:
                    voiced += len(samples)
            elif kind == "finalize":
                if voiced:
                    text = "%d milliseconds" % (voiced * 1000 // RATE)
                    word = pb.Word(text=text.split()[0], start_ms=0, end_ms=pushed * 1000 / RATE)
                    yield pb.TranscribeResponse(
                        transcript=pb.Transcript(
                            utterance=utterance, text=text, final=True, end_ms=pushed * 1000 // RATE, words=[word]
                        )
                    )
                yield pb.TranscribeResponse(flushed=pb.Flushed())
            elif kind == "end_turn":
                utterance += 1
                voiced = 0

    @watched
    def Synthesize(self, requests, context):
        at = 0.0
        for request in requests:
            if request.WhichOneof("request") != "piece":
                continue
            words = []
            for word in request.piece.split():
                sound = array.array("h", (int(8000 * math.sin(i * 0.2)) for i in range(RATE // 5)))
                words = [pb.Word(text=word, start_ms=at, end_ms=at + 200)]
                at += 200
                yield pb.SynthesizeResponse(audio=sound.tobytes(), words=words)
            yield pb.SynthesizeResponse(end_of_piece=True)

    @watched
    def DetectTurn(self, requests, context):
        samples = array.array("h")
        for request in requests:
            samples.frombytes(request.audio)
            if request.judge:
                yield pb.DetectTurnResponse(probability=0.9 if loudness(samples[-RATE // 10 :]) < 500 else 0.1)

    @watched
    def Generate(self, request, context):
        while request.model == "endless" and context.is_active():
            yield pb.GenerateResponse(text="and ")
            time.sleep(0.01)
        if request.model != "echo":
            context.abort(grpc.StatusCode.NOT_FOUND, "no such model")
        said = [message.text for message in request.messages if message.role == pb.ROLE_USER]
        for word in (said[-1] if said else "nothing").split():
            yield pb.GenerateResponse(text=word + " ")
        for tool in request.tools:
            yield pb.GenerateResponse(call=pb.ToolCall(id="1", name=tool.name, args="{}"))
        yield pb.GenerateResponse(done=pb.Done(output_tokens=len(said)))


class Health(health_services.HealthServicer):
    def Check(self, request, context):
        return health_pb.HealthCheckResponse(status=health_pb.HealthCheckResponse.SERVING)


class Token(grpc.ServerInterceptor):
    def __init__(self, token):
        self.wanted = ("authorization", "Bearer " + token)

        def refuse(request, context):
            context.abort(grpc.StatusCode.UNAUTHENTICATED, "send the token")

        self.refusal = grpc.unary_unary_rpc_method_handler(refuse)

    def intercept_service(self, proceed, details):
        return proceed(details) if self.wanted in details.invocation_metadata else self.refusal


server = grpc.server(futures.ThreadPoolExecutor(16), interceptors=[Token(sys.argv[1])])
services.add_ModelServerServicer_to_server(ModelServer(), server)
health_services.add_HealthServicer_to_server(Health(), server)
port = server.add_insecure_port("127.0.0.1:0")
server.start()
print("ready url=grpc://127.0.0.1:%d" % port, flush=True)
server.wait_for_termination()
