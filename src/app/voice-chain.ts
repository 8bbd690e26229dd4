import { everyFiller, everyIdleMessage } from "../dialogue/call-words.ts";
import { FallbackVoice } from "../call/fallback-voice.ts";
import { KeptVoice } from "../call/kept-voice.ts";
import { repeatablePieces } from "../call/repeatable.ts";
import { firstVoice } from "../dials/engines.ts";
import type { CallPlan } from "../model/call-plan.ts";
import type { Takeover } from "../model/takeover.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { FailureMetrics, Metrics, PhraseMetrics } from "../ports/metrics.ts";
import type { Phrases } from "../ports/phrases.ts";
import type { SpeechSynthesizer } from "../ports/synthesizer.ts";
import type { RunningEngines } from "./engines.ts";

export type VoiceChainDeps = Readonly<{
  clock: Clock;
  logger: Logger;
  metrics: Metrics & Partial<FailureMetrics & PhraseMetrics>;
  phrases: Phrases;
  /** Voices that stand behind those of agents that name none, by id. */
  voiceFallbacks: readonly string[];
  tookOver(takeover: Takeover): void;
}>;

/**
 * A voice for one call, with those behind it that the agent names, else those of the deployment, as far as they are here and speak the
 * language; behind them all, the first two other engines that do. What the agent says again and again is kept by voice.
 */
export const voiceChain = (
  plan: CallPlan,
  engines: Pick<RunningEngines, "synthesizers" | "synthesizerFor" | "breakers">,
  { voiceId, language }: Readonly<{ voiceId: string; language: string }>,
  deps: VoiceChainDeps,
): SpeechSynthesizer => {
  const first = { engine: engines.synthesizerFor(voiceId), voiceId };
  const named = plan.agent.fallbacks?.voices ?? [];
  const wanted = (named.length > 0 ? named : deps.voiceFallbacks).flatMap((id) => {
    const engine = engines.synthesizers.find((one) => one.voices.some((voice) => voice.id === id));
    return engine === undefined || id === voiceId || !engine.supports(language, id) ? [] : [{ engine, voiceId: id }];
  });
  const used = new Set([first, ...wanted].map(({ engine }) => engine));
  const last = engines.synthesizers.flatMap((engine) => {
    const voice = used.has(engine) ? undefined : firstVoice(engine, language);
    return voice === undefined ? [] : [{ engine, voiceId: voice.id }];
  });
  const behind = [...wanted, ...last.slice(0, 2)];
  const repeatable = repeatablePieces(repeatedTexts(plan), language);
  const kept = ({ engine }: Link): SpeechSynthesizer =>
    new KeptVoice({ voice: engine, phrases: deps.phrases, repeatable, metrics: deps.metrics });
  const chained = ([link, ...rest]: readonly [Link, ...Link[]]): SpeechSynthesizer => {
    const [next, ...others] = rest;
    if (next === undefined) return kept(link);
    return new FallbackVoice({
      ...deps,
      preferred: kept(link),
      standIn: chained([next, ...others]),
      standInVoiceId: next.voiceId,
      breaker: engines.breakers.of("synthesizer", link.engine.name),
    });
  };
  return chained([first, ...behind]);
};

type Link = Readonly<{ engine: SpeechSynthesizer; voiceId: string }>;

/** What the agent says in call after call, as it was written; the dialogue's own words are never among them. */
const repeatedTexts = (plan: CallPlan): readonly string[] => {
  const { agent, functions } = plan;
  return [
    ...(agent.openingLine === undefined ? [] : [agent.openingLine]),
    ...everyIdleMessage(plan),
    ...everyFiller(plan),
    ...functions.flatMap(({ lifecycleMessages }) => lifecycleMessages?.started ?? []),
    ...(agent.linkedFunctionDefinitions ?? []).flatMap((linked) => linked.lifecycleMessagesOverride?.started ?? []),
  ];
};
