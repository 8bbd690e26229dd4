import { phrasesOf, type Phrase } from "./phrase.ts";

/** A third set that reports, written after the policy was settled; nothing was set by what it shows. */
export const THIRD_PHRASES: readonly Phrase[] = [
  ...phrasesOf(
    "mid-sentence",
    `
How can I help you today? > My daughter has a fever | since yesterday evening
What can I do for you? > I would like to cancel my membership | at the end of the month
Can you describe the problem? > The washing machine stops | in the middle of the cycle
How may I help? > I was charged twice | for the same order
What is going on? > Our internet has been down | for three days now
How can I help? > Could you tell me the price | of the larger package`,
  ),
  ...phrasesOf(
    "function word",
    `
What do you need? > I would like to speak with | someone in sales
How can I help you? > I am calling because my | delivery has not arrived
What happened? > I dropped the phone and | now the screen is cracked
Where should we send it? > Please send it to the | office on the second floor
What can I do for you? > Is it possible to | change the name on the ticket
How did you hear about us? > A friend of mine stayed with you and | she loved the place
How can I help? > My card was declined so | I tried the other one
What went wrong? > I pressed the button but | nothing happened at all`,
  ),
  ...phrasesOf(
    "hesitation",
    `
How can I help you? > I am looking for, uh, | a birthday present
When did it start? > It started, um, | two weeks ago
What do you have in mind? > Something like, uh, | a small sofa
How can I help you? > So, um, | my order came without the charger
What seems to be the matter? > Well, the light on the, uh, | on the front keeps blinking
When would it suit you? > I could do, um, let me think, | Monday morning
What can I do for you? > Yeah, so, | I moved last month and need to change my address
Which size do you wear? > I think it is, um, | a medium`,
  ),
  ...phrasesOf(
    "phone number",
    `
What number can we reach you at? > 2 0 6, | 5 5 5, | 0 1 4 7
Could you give me your cell phone number? > sure, it is 9 1 7, | 4 4 8, | 3 3 2 0
What is the best phone number for you? > 6 1 9, 2 7 3, | 8 8 4 1
Which number should we call? > call me at 4 0 8, | 6 6 1, | 9 0 2 7
What is your phone number, please? > it is double 7, 4, | 3 1 9, | 5 2 0 6`,
  ),
  ...phrasesOf(
    "other number",
    `
What is your order number? > 7 7 0, | 1 4 5, | 9
Can I have your member number? > 3 3 8, | 2 0 1, | 6 6
What is your zip code? > 9 4, | 1 1 0
What are the last four digits of the card? > 5 5, | 2 9`,
  ),
  ...phrasesOf(
    "spelling",
    `
How do you spell your last name? > G, A, R, | C, I, A
Could you spell the street for me? > M, A, P, | L, E
Please spell your first name. > J, O, A, | N, N, A
Can you spell that for me? > S as in Sam, H, | M, I, | D, T
How is the company spelled? > it is V, E, N, | T, O, | R, A`,
  ),
  ...phrasesOf(
    "address",
    `
What is your email address? > maria dot lopez | at gmail dot com
Can I have your email? > it is j smith, | at outlook dot com
Where should we send the invoice? > to billing at | greenfield dot org
What is your street address? > 4 2 5, | Maple Avenue, | apartment 6`,
  ),
  ...phrasesOf(
    "list",
    `
What would you like to order? > two coffees, | one croissant, | and a glass of water
What do you need for the trip? > a tent, | two sleeping bags, | and a stove
Which toppings would you like? > cheese, | mushrooms, | and olives`,
  ),
  ...phrasesOf(
    "date",
    `
When would you like to come in? > next Wednesday, | around four in the afternoon
What is your date of birth? > the ninth of June, | nineteen seventy eight
When is your flight? > on the twelfth of October, | at nine in the morning
When did you buy it? > I think it was in March, | maybe the third
What is your date of birth? > May second, | nineteen ninety one
When should the technician come? > any day next week, | but not before ten`,
  ),
  ...phrasesOf(
    "statement",
    `
How can I help you? > I need to reset my password.
What can I do for you? > My package was damaged.
How may I help? > I would like to make a reservation.
What is the problem? > The heating does not work.
How can I help you? > I want to return these shoes.
Tell me what happened. > Somebody stole my bicycle last night.`,
  ),
  ...phrasesOf(
    "question",
    `
How can I help you? > Do you deliver on Sundays?
What can I do for you? > How much does a ticket cost?
Anything else? > What time does the museum open?
How can I help? > Can I pay in cash?`,
  ),
  ...phrasesOf(
    "short answer",
    `
Is this your current address? > Yes, it is.
Would you like a receipt? > No, thank you.
How many guests will there be? > Seven.
What color would you like? > Dark blue.
Do you want to continue? > Sure.
What is your name? > Melissa Grant.`,
  ),
];
