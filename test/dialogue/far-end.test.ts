import { expect, test } from "vitest";
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
];

/** What may come from either side; who was there stays. */
const EITHER: readonly string[] = ["One moment.", "Okay.", "Acme Dental.", "Tuesday at three.", "(pressed 1 2 3)", ""];

test("every line of a menu is told as one, and every person as a person", () => {
  expect(MENUS.filter((text) => classifyWords(text) !== "ivr")).toEqual([]);
  expect(PEOPLE.filter((text) => classifyWords(text) !== "human")).toEqual([]);
  expect(EITHER.filter((text) => classifyWords(text) !== "unknown")).toEqual([]);
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
