import { expect, test } from "vitest";
import { completeness } from "../../src/endpointing/completeness.ts";
import type { TurnForm } from "../../src/endpointing/cues/cue.ts";
import { trailingDigits } from "../../src/endpointing/cues/digits.ts";
import { expectedAnswer } from "../../src/endpointing/expected-answer.ts";
import { wordsIn } from "../../src/endpointing/languages/word-lists.ts";
import { turnForm } from "../../src/endpointing/turn-form.ts";

/** A turn that goes on is held back by at least this; one that is over is not. */
const OVER = 0.73;

test.for<[string, string, TurnForm]>([
  ["How can I help you?", "I would like to", "function-word"],
  ["How can I help you?", "I was told that", "function-word"],
  ["When can you come?", "Maybe um", "hesitation"],
  ["When can you come?", "Let me see", "holding"],
  ["What is your phone number?", "555-234", "digits"],
  ["What is your phone number?", "five five five two three four", "digits"],
  ["What are the last four digits?", "nine one", "digits"],
  ["What is your phone number?", "Ate the girls", "digits"],
  ["Could you spell that?", "S-M-I", "spelling"],
  ["What is your e-mail address?", "john dot smith at", "function-word"],
  ["What is your e-mail address?", "john.smith@example", "mail-address"],
  ["What is your date of birth?", "March the fifth", "date-time"],
  ["What would you like to order?", "two burgers, a salad", "list"],
  ["How can I help you?", "If I come on Tuesday", "fragment"],
  ["How can I help you?", "I want to order", "fragment"],
  ["How can I help you?", "It was right in front", "holding"],
  ["When does your contract end?", "At the end", "holding"],
  ["What is your phone number?", "Yes, sure", "answer"],
  ["What date is on it?", "January", "date-time"],
])("after %j, %j goes on: %s", ([asked, text, form]) => {
  const verdict = turnForm(text, expectedAnswer(asked));
  expect(verdict.form).toBe(form);
  expect(verdict.completeness).toBeLessThan(0.5);
});

test.for<[string, string, TurnForm]>([
  ["Is that correct?", "Yes", "answer"],
  ["Is that correct?", "No, it is not", "answer"],
  ["Did you get it?", "Yes I did", "answer"],
  ["What is your phone number?", "555-234-6789", "digits"],
  ["What is your phone number?", "five five five, two three four, six seven eight nine", "digits"],
  ["What are the last four digits?", "Six to one nine", "digits"],
  ["Could you spell that?", "Smith, S-M-I-T-H", "spelling"],
  ["What is your e-mail address?", "john.smith@example.com", "mail-address"],
  ["What is your date of birth?", "March the fifth, 1982", "date-time"],
  ["When would you like to come?", "Next Tuesday at three thirty", "date-time"],
  ["What would you like to order?", "two burgers, a salad, and a coke", "list"],
  ["How can I help you?", "What time do you close on Sunday", "question"],
  ["How can I help you?", "What is it for", "question"],
  ["How can I help you?", "Who is speaking", "question"],
  ["How can I help you?", "Operator", "answer"],
  ["How can I help you?", "Could you say that again", "answer"],
  ["Your room is ready from three.", "Okay, see you then", "answer"],
  ["I will send it tomorrow.", "That works for us", "answer"],
  ["How many tickets?", "Three", "answer"],
  ["Which city are you in?", "Seattle", "answer"],
  ["What is your name?", "My name is Robert Brown", "answer"],
  ["How can I help you?", "I would like to speak to a manager please", "answer"],
  ["How can I help you?", "The screen stays black when I turn it on", "statement"],
  ["How can I help you?", "My credit card was declined", "statement"],
  ["Would you prefer morning or afternoon?", "Morning", "answer"],
  ["Who am I talking to?", "Anna Schmidt", "answer"],
  ["Do you want to go on?", "I would", "answer"],
  ["Is it any better?", "Not at all.", "statement"],
])("after %j, %j is over: %s", ([asked, text, form]) => {
  const verdict = turnForm(text, expectedAnswer(asked));
  expect(verdict.form).toBe(form);
  expect(verdict.completeness).toBeGreaterThan(OVER);
});

test.for<[string, string, string]>([
  ["How can I help you?", "I paid the bill", "I paid the bill with my credit card"],
  ["How can I help you?", "I am looking for a hotel", "I am looking for a hotel near the station"],
  ["How can I help you?", "I ordered a jacket last week", "I want to order a jacket by tomorrow"],
  ["How can I help you?", "Can you send me the invoice", "Can you send me the invoice by e-mail"],
  ["When can we come?", "Tomorrow afternoon", "Tomorrow afternoon at three"],
  ["When can we come?", "Next week", "Next week on Monday at ten"],
  ["When would you like to travel?", "The third of May", "The third of May at noon"],
])("after %j, %j more likely goes on than %j", ([asked, bare, detailed]) => {
  const expected = expectedAnswer(asked);
  expect(turnForm(bare, expected).completeness).toBeLessThan(turnForm(detailed, expected).completeness - 0.04);
});

test("punctuation at the end says nothing, because recognizers put it everywhere", () => {
  for (const text of ["I would like to", "My number is 555", "Yes", "I want a table for four"])
    for (const mark of [".", "?", "!", "..."]) expect(completeness(text + mark)).toBe(completeness(text));
});

test.for<[string, string]>([
  ["Is that correct?", "yes-no"],
  ["Great. Would you like a window seat?", "yes-no"],
  ["Your number is 555, right?", "yes-no"],
  ["What is your phone number?", "digits"],
  ["Could I have a number where we can reach you?", "digits"],
  ["Please tell me the last four digits of your card.", "digits"],
  ["What's your date of birth?", "date-time"],
  ["When would you like to come?", "date-time"],
  ["Could you spell your last name?", "spelling"],
  ["What is your name?", "name"],
  ["What's the best e-mail address for you?", "mail-address"],
  ["How many people will there be?", "quantity"],
  ["What would you like to order?", "list"],
  ["Which city are you calling from?", "short"],
  ["How can I help you?", "open"],
  ["Thank you. I have noted that down.", "open"],
  ["", "open"],
])("%j asks for %s", ([question, type]) => {
  expect(expectedAnswer(question).type).toBe(type);
});

test("a question that tells how many digits it wants is answered by as many", () => {
  expect(expectedAnswer("What are the last four digits of your card?")).toEqual({ type: "digits", count: 4 });
  expect(expectedAnswer("What is your zip code?")).toEqual({ type: "digits", count: 5 });
});

test.for<[string, number]>([
  ["555-234-6789", 10],
  ["it is five five five", 3],
  ["double five two", 3],
  ["twenty one", 2],
  ["oh seven nine", 3],
  ["555 234 then 67", 8],
  ["flight 22 to Boston", 0],
  ["", 0],
])("%j ends in %i digits", ([text, count]) => {
  expect(trailingDigits(wordsIn(text))).toBe(count);
});

test.for<[string, string, string]>([
  ["de-DE", "Ich hätte gern einen", "Ich hätte gern einen Tisch"],
  ["es", "Quiero una mesa para", "Quiero una mesa para cuatro"],
  ["fr-FR", "Je voudrais une table pour", "Je voudrais une table pour quatre"],
  ["it", "Vorrei un tavolo per", "Vorrei un tavolo per quattro"],
  ["pt-BR", "Queria uma mesa para", "Queria uma mesa para quatro"],
  ["nl", "Ik wil graag een", "Ik wil graag een tafel"],
])("%s: %j looks less finished than %j", ([language, open, closed]) => {
  expect(completeness(open, undefined, language)).toBeLessThan(0.2);
  expect(completeness(closed, undefined, language)).toBeGreaterThan(0.6);
});

test.for([
  "How are you doing",
  "I am done",
  "Never mind",
  "Thank you so much for your patience",
  "Well, I think so",
  "I want another one",
])("%j is said whole, whatever was asked", (text) => {
  expect(completeness(text)).toBeGreaterThan(0.65);
});

test.for(["Could you please", "Can I just", "So would you maybe"])(
  "%j asks nicely, and has not said for what",
  (text) => {
    expect(completeness(text)).toBeLessThan(0.1);
  },
);

test("a number in a question is no dictation", () => {
  expect(turnForm("Do you have the 400 or the 450").form).not.toBe("digits");
  expect(turnForm("The code is 4 5 0").form).toBe("digits");
});

test.for<[string, number]>([
  ["Can you repeat that", 0.7],
  ["Would you please explain this", 0.7],
  ["It is far too expensive for me", 0.7],
  ["I see", 0.8],
  ["Sounds good", 0.8],
])("%j is over", ([text, least]) => {
  expect(completeness(text)).toBeGreaterThan(least);
});
