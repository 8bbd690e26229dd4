import { phrasesOf, type Phrase } from "./phrase.ts";

/** A second set that reports, written after the policy was settled and never looked into. */
export const CHECK_PHRASES: readonly Phrase[] = [
  ...phrasesOf(
    "mid-sentence",
    `
How can I help you? > My landlord wants to raise the rent | by two hundred dollars
What can I do for you? > I left my umbrella | in one of your taxis
What seems to be the trouble? > The coffee machine makes a loud noise | whenever I switch it on
How may I help you? > Could you reserve a spot for us | on Sunday evening
What would you like to change? > I want to use a different card | for the next payment
What happened? > The waiter spilled soup | all over my coat
How can I help? > I need a new key | because mine broke off
Anything else? > You could also send me a text | when it is ready
How can I help you today? > We are planning a party | for my grandmother
Tell me more about it. > The new tiles came loose | after the first winter
`,
  ),
  ...phrasesOf(
    "function word",
    `
How can I help you? > I would like to pick up the | glasses that I ordered
What is the call about? > I have a question about your | student discount
How can I help? > Does the train stop at | every station
What is the matter? > The garage door opens but | it will not close again
What do you need? > I need to bring my cat to the | vet this afternoon
Why did you return it? > The sleeves were much too | short for me
What do you want to do? > I want to sell my | old motorcycle
Where are you going? > We are on our way to | the airport
`,
  ),
  ...phrasesOf(
    "hesitation",
    `
What can I do for you? > I am trying to, uh, | reach the warehouse
How long have you had this? > For about, um, | ten days
Which model do you own? > I have the, uh, | silver one
When did you move in? > That was, um, | in the spring
How can I help you? > Uh, | somebody took my parking space
What did you try? > I turned it off, um, | and on again
`,
  ),
  ...phrasesOf(
    "phone number",
    `
What is your phone number? > 8 1 3, | 6 0 7, | 2 4 9 5
Which number can we call? > 4 2 5, | 7 3 1, | 6 6 0 8
Can I have a phone number for you? > it is 5 1 0, | 3 9 4, | 1 7 2 2
May I have your mobile number? > yes, 7 8 6, | 2 5 5, | 9 0 3 1
`,
  ),
  ...phrasesOf(
    "other number",
    `
What is your ticket number? > 4 1 9, | 6 6 2
And your postal code? > 3 0, | 3 1 8
Please tell me the last four digits of your social security number. > 8 1, | 0 7
What is your contract number? > 2 6 4, | 9 1 3, | 7 5
`,
  ),
  ...phrasesOf(
    "spelling",
    `
How do you spell your name? > B R A, | D L E Y
Could you spell the street? > M A P, | L E
Please spell that. > Walter, W A L, | T E R
How do you spell it? > G R A, | N T
`,
  ),
  ...phrasesOf(
    "list",
    `
What would you like to eat? > the tomato salad, | the grilled fish, | and a small dessert
What do you need? > nails, | a hammer, | and some glue
Which colours do you like? > green, | white, | and light grey
Who will be coming? > my sister, | her husband, | and their two kids
`,
  ),
  ...phrasesOf(
    "date",
    `
When would you like to start? > on the first of September | at eight in the morning
What is your date of birth? > June the eleventh, | nineteen fifty nine
What day suits you best? > Wednesday | the nineteenth
What time do you want to come in? > at nine | or shortly after
When did you order it? > three weeks ago | on a Friday
When should I call again? > tomorrow afternoon | around four
`,
  ),
  ...phrasesOf(
    "statement",
    `
How can I help you? > I want to report a stolen bicycle
What is the problem? > The toilet keeps running all night
How can I help? > I need to see a dentist
What would you like? > I would like the vegetable curry
What happened? > The cable came out of the wall
How can I help you? > We are locked out of our apartment
Tell me what you see. > There is a red light on the front
What did you decide? > We will keep the old contract
How do you feel? > I feel a lot better today
`,
  ),
  ...phrasesOf(
    "question",
    `
How can I help you? > How late is the kitchen open
Anything else? > Can I pay in cash
What would you like to know? > Which bus goes to the harbor
How can I help? > Do you repair old watches
Do you have any questions? > Is there a fee for cancelling
How may I help you? > Could you give me directions to your office
Anything else I can do? > What should I bring with me
`,
  ),
  ...phrasesOf(
    "short answer",
    `
Are you calling about an existing order? > Yes I am
Would you like a reminder? > Yes that would be great
Do you need a bag? > No I'm good
Is the address still the same? > Yes nothing changed
What is your last name? > Peterson
How many rooms? > Two please
Is this your own car? > It is
Shall I send it again? > Sure go ahead
`,
  ),
];
