import { expect, test } from "vitest";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import type { Exchange } from "../../src/dialogue/dialogue.ts";
import { classifyWords, farEndOf, withoutMachine } from "../../src/dialogue/far-end.ts";

const MENUS: readonly string[] = [
  "For sales, press one. For support, press two.",
  "Press 1 for English.",
  "Thank you for calling Acme Insurance. If you know your party's extension, you may dial it at any time.",
  "Your call may be recorded for quality and training purposes.",
  "This call is being recorded.",
  "Your call is important to us. Please stay on the line and the next available representative will be with you shortly.",
  "Please hold while I connect you.",
  "All of our agents are currently busy.",
  "All representatives are assisting other customers.",
  "Please enter your account number followed by the pound key.",
  "Please enter your ten digit member ID.",
  "Using your telephone keypad, enter your date of birth.",
  "To hear these options again, press star.",
  "To repeat this menu, press nine.",
  "For billing, say billing. For everything else, say agent.",
  "Please listen carefully, as our menu options have changed.",
  "Our menu options have recently changed.",
  "I'm sorry, I didn't get your response.",
  "That is not a valid option. Please try again.",
  "Invalid entry.",
  "The estimated wait time is five minutes.",
  "You are caller number seven in the queue.",
  "Calls will be answered in the order they were received.",
  "You can say things like check my balance or pay my bill.",
  "In a few words, please tell me what you are calling about.",
  "To speak to an operator, press zero or stay on the line.",
  "If this is an emergency, hang up and dial nine one one.",
  "If you are a physician, please press 3 now.",
  "For hours and location press four",
  "Please say or enter your zip code.",
  "Say yes or no.",
  "Did you say billing? Please say yes or no.",
  "Welcome to First Bank. To use our automated service, enter your card number now.",
  "Our office is currently closed. Our office hours are Monday through Friday, nine to five.",
  "Hi, I'm an automated assistant. How can I help you?",
  "Thank you for calling. This call may be monitored or recorded for quality assurance. How can I help you today?",
  "Hello, and welcome to Delta. For reservations, press 1.",
  "PRESS ONE FOR SALES PRESS TWO FOR SUPPORT",
  "Press any key to continue.",
  "Otherwise, please hold for the operator.",
  "Para español, oprima el dos.",
  "Please wait while I look up your account.",
  "Für den Kundendienst drücken Sie bitte die Eins.",
  "Bitte geben Sie Ihre Kundennummer ein.",
  "Alle unsere Mitarbeiter sind im Gespräch. Bitte bleiben Sie in der Leitung.",
  "Dieses Gespräch wird zu Schulungszwecken aufgezeichnet.",
  "Para ventas, marque uno. Para soporte, marque dos.",
  "Su llamada es muy importante para nosotros. Permanezca en la línea.",
  "Por favor, introduzca su número de cliente.",
  "Pour le service commercial, tapez un.",
  "Tous nos conseillers sont actuellement occupés. Veuillez patienter.",
  "Votre appel peut être enregistré.",
  "To be connected, press the pound sign.",
  "For pharmacy, press or say two.",
  "Welcome to Verizon. I see you're calling about the number ending in 4 4 5 2. Is that right?",
  "If you'd like to speak in English, please press 1.",
  "Please say the name of the person or department you want to reach.",
  "I'm having trouble understanding. Let's try using your keypad.",
  "You've selected technical support. One moment while I transfer you.",
  "We are experiencing higher than normal call volumes. Your wait may be longer than usual.",
  "Did you know you can manage your account online at www dot acme dot com?",
  "To leave a callback number, press 1. To continue holding, stay on the line.",
  "Thanks for your patience. A representative will be with you shortly.",
  "Say billing, technical support, or cancel service.",
  "Please tell me the reason for your call.",
  "Enter the last four digits of your social security number.",
  "Your estimated hold time is less than one minute.",
  "For prescription refills press 2, for appointments press 3",
  "You entered five five five one. If this is correct press one.",
  "Dial by name directory, press eight",
  "Please remain on the line, your call will be answered by the next available agent.",
  "We didn't receive your input. Please try again.",
  "Our hours are Monday to Friday nine to five.",
  "All circuits are busy now. Please try your call again later.",
  "Para continuar en español oprima nueve",
  "Kunden mit einem Vertrag drücken bitte die zwei",
  "Pour joindre un conseiller, tapez 3",
  "Welcome to Chase. Please enter or say your sixteen digit card number.",
  "To continue in English, press one.",
  "Main menu. For account balances, press one.",
  "I can help you with that. First, what's your zip code? You can also enter it on your keypad.",
  "Please hold while we connect your call.",
  "If you are calling from a rotary phone, please stay on the line.",
  "Your call will be recorded.",
  "Sorry, I didn't understand that. Please say or press your selection again.",
  "For the pharmacy, press 1. For photo, press 2.",
  "You are number three in line.",
  "We value your business. Please continue to hold.",
  "Press pound when finished.",
  "Thank you for calling the Department of Motor Vehicles. Our offices are closed in observance of the holiday.",
  "Please have your policy number ready.",
  "For existing orders press 1 now",
  "To reach the nursing staff, dial extension four hundred.",
  "If you wish to return to the main menu, press star.",
  "To end this call, simply hang up.",
  "Due to high call volume, wait times may exceed thirty minutes.",
  "An agent will be with you momentarily.",
  "Drücken Sie die Eins für Deutsch.",
  "Para hablar con un agente, presione cero.",
  "Pour le français, appuyez sur le deux.",
  "This call may be monitored.",
];

const PEOPLE: readonly string[] = [
  "Hello?",
  "Hello",
  "Hi.",
  "Yeah?",
  "Yes, hello?",
  "Hello, hello?",
  "Hi there.",
  "Hello, who is this?",
  "Who's calling?",
  "Who is calling, please?",
  "This is Anna.",
  "This is Anna speaking.",
  "Anna speaking.",
  "Anna Miller speaking, how can I help you?",
  "Good morning, Acme Dental, this is Tom, how can I help?",
  "Thank you for calling Acme, this is Jessica, how may I help you today?",
  "Acme support, my name is Raj. What can I do for you?",
  "Thanks for holding, this is Maria in billing.",
  "Hello, this is the front desk. How can I help?",
  "Good afternoon, Market Street Office.",
  "Good evening.",
  "Yes, this is he.",
  "Speaking.",
  "Hi, sorry, I'm driving right now.",
  "Hey, what's up?",
  "Who am I speaking with?",
  "May I ask who's calling?",
  "Hello? Can you hear me?",
  "I'm here, go ahead.",
  "Sorry about the wait. How can I help you?",
  "What do you want?",
  "What is this about?",
  "Hello, I'm a bit busy, can you call back later?",
  "I'm not interested, thank you.",
  "Hi, it's Sarah.",
  "Hello, I would like to book an appointment, please.",
  "Yes, please hold on, I'm getting a pen.",
  "This call is recorded, by the way. My name is Linda, how can I help?",
  "Hello, this is Anna in support. How can I help you?",
  "Thank you for calling, how can I help you?",
  "I pressed two, is this support?",
  "Hi, I'm on the other line, can I call you back?",
  "Hallo, wer ist da?",
  "Guten Tag, Müller am Apparat.",
  "Guten Morgen, mein Name ist Schmidt, was kann ich für Sie tun?",
  "¿Hola? ¿Quién es?",
  "Buenos días, le atiende Carmen, ¿en qué puedo ayudarle?",
  "Allô ?",
  "Bonjour, Sophie à l'appareil, comment puis-je vous aider ?",
  "Oui, c'est de la part de qui ?",
  "Dr. Patel's office, can you hold please?",
  "Front desk, Mike here.",
  "Mario's Pizza, pickup or delivery?",
  "Hello? Hello? Anybody there?",
  "Yes, who's this please?",
  "Good morning, thank you for calling Hilton, this is Priya, how may I direct your call?",
  "Billing department, this is Karen, can I have your account number please?",
  "Hi this is Josh with tech support, can I get your name?",
  "Sorry, he's not in right now, can I take a message?",
  "I think you have the wrong number.",
  "Hello, Smith residence.",
  "Yes speaking, who is calling?",
  "What's going on?",
  "Customer service, how can I help you?",
  "Can I have your date of birth for verification?",
  "Thanks for calling Bob's garage, we're open till five, how can I help?",
  "Hang on, let me press mute on the TV.",
  "Okay, I can help you with that. What's your order number?",
  "Thank you for holding, my name is Peter, may I have your member ID?",
  "Let me transfer you to sales, please hold on one second.",
  "Ja, hallo?",
  "Si, ¿diga?",
  "Oui bonjour, j'écoute",
  "All our agents are busy but I can take your details, my name is Sue.",
  "Hello, Anna Schmidt.",
  "Hi, who am I talking to?",
  "Good afternoon, Green Dental, Lucy speaking.",
  "Yes, can I help you?",
  "Hello, what's this regarding?",
  "Hey, sorry, I missed your call.",
  "Support, this is Dave.",
  "Thanks for waiting, what can I do for you today?",
  "Hi, thank you for calling customer care, you're speaking with Aisha.",
  "Yeah, go ahead.",
  "Hello, is this about the car?",
  "Hello, you've reached Tom at the warehouse.",
  "Yes, this is the manager.",
  "Hi, yes, I called earlier about my order.",
  "Uh, hello?",
  "Hello, could you speak up please?",
  "No, she's at work. Who is this?",
  "Tech support, may I have your name please?",
  "Good morning, how can I direct your call?",
  "Hola, buenas, ¿quién habla?",
  "Guten Tag, Praxis Doktor Weber, Sie sprechen mit Frau Klein.",
];

/** What may come from either side; who was there stays. */
const EITHER: readonly string[] = [
  "One moment.",
  "Okay.",
  "Acme Dental.",
  "Tuesday at three.",
  "(pressed 1 2 3)",
  "",
  "Goodbye, thank you for calling.",
  "Yellow.",
  "City Hall, good morning.",
  "I'm sorry, who?",
  "Sorry, say that again?",
];

test("every line of a menu is told as one, and every person as a person", () => {
  expect(MENUS.filter((text) => classifyWords(text) !== "ivr")).toEqual([]);
  expect(PEOPLE.filter((text) => classifyWords(text) !== "human")).toEqual([]);
  expect(EITHER.filter((text) => classifyWords(text) !== "unknown")).toEqual([]);
});

test("however long a turn is, it is judged at once", () => {
  const clock = new SystemClock();
  const started = clock.monotonic();
  for (const piece of ["for ", "please ", "enter your ", "all our ", "say ", "this is ", "your call is "])
    expect(["human", "ivr", "unknown"]).toContain(classifyWords(piece.repeat(4000)));
  expect(clock.monotonic() - started).toBeLessThan(1000);
});

test("nothing depends on case, punctuation or accents", () => {
  const bare = (text: string) => text.replaceAll(/[^\p{L}\p{N} ]/gu, "").toUpperCase();
  expect(MENUS.filter((text) => classifyWords(bare(text)) !== "ivr")).toEqual([]);
  expect(PEOPLE.filter((text) => classifyWords(bare(text)) === "ivr")).toEqual([]);
});

test("of a menu and a person in one turn, the one that speaks last counts", () => {
  expect(classifyWords("Please hold while I connect you. Hello, this is Anna speaking.")).toBe("human");
  expect(classifyWords("Connecting you now. Please hold. Hello?")).toBe("human");
  expect(classifyWords("Hello, this is Anna from Acme, I will put you through. For sales, press one.")).toBe("ivr");
});

test("a long speech without an I is a machine's", () => {
  const speech = "welcome to the museum of modern art open daily from ten to five except on mondays ".repeat(5);
  expect(classifyWords(speech)).toBe("ivr");
  expect(classifyWords(`${speech} i`)).toBe("unknown");
});

const caller = (text: string): Exchange => ({ speaker: "caller", text });
const agent = (text: string): Exchange => ({ speaker: "agent", text, interrupted: false });

test("a menu stays a menu until a person comes on, and a person a person until a menu does", () => {
  const said: Exchange[] = [];
  const then = (text: string) => {
    said.push(caller(text), agent("Well."));
    return farEndOf(said);
  };
  expect(farEndOf([])).toBe("human");
  expect(then("Acme Dental.")).toBe("human");
  expect(then("For sales, press one.")).toBe("ivr");
  expect(then("One moment.")).toBe("ivr");
  expect(then("Hello, this is Anna.")).toBe("human");
  expect(then("One moment.")).toBe("human");
});

test("what is repeated word for word at length comes from a machine", () => {
  const text = "Welcome to the offices of Smith, Jones and Partners in London";
  expect(farEndOf([caller(text), agent("Hello."), caller(text)])).toBe("ivr");
  expect(farEndOf([caller("Okay."), agent("Hello."), caller("Okay.")])).toBe("human");
});

test("the main dialogue is told of the person who comes on, and of nothing that was said to the menu", () => {
  const flow: Exchange = { speaker: "flow", toNodeId: "b", data: {} };
  const seen = withoutMachine([
    agent("Hello, this is Robin."),
    flow,
    caller("For support, press two."),
    agent(""),
    caller("Hello, this is Anna."),
    agent("Hi Anna."),
  ]);
  expect(seen).toEqual([
    flow,
    { speaker: "event", text: expect.stringContaining("a person") },
    caller("Hello, this is Anna."),
    agent("Hi Anna."),
  ]);
  const usual = [agent("Hello, this is Robin."), caller("Hi Robin.")];
  expect(withoutMachine(usual)).toEqual(usual);
});
