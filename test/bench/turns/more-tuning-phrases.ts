import { phrasesOf, type Phrase } from "./phrase.ts";

/** More that the policy may be tuned on: other trades, other ways to say it. None of these sentences is in a set that reports. */
export const MORE_TUNING_PHRASES: readonly Phrase[] = [
  ...phrasesOf(
    "mid-sentence",
    `
How can I help you? > I bought a phone from you | about two weeks ago
What can I do for you? > Could you put me through | to the billing team
How can I help? > Somebody charged my card | twice this month
What is the problem? > My son threw up | three times last night
What happened? > The car behind me braked | too late
How may I help? > I would like to make an appointment | with doctor Miller
What do you need? > Can you tell me | whether my order has shipped
How can I help you today? > I need to renew my prescription | before I go on holiday
What is going on? > The light in the hallway flickers | when I turn on the heater
Tell me more. > I paid the bill | but I still got a reminder
How can I help you? > I want to complain | about the cleaning
What would you like to do? > I would like to add my husband | to the contract
Why are you calling? > I am calling you | because my bag was stolen
How can I help? > We are moving | to another city in August
What did you notice? > The battery gets empty | within two hours
Anything else? > Could you check the price | for the larger size
What should we do? > Please leave the parcel | with my neighbour
What can I do for you? > I have a problem | with my internet connection
`,
  ),
  ...phrasesOf(
    "function word",
    `
How can I help you? > I would like to know how | I can pay my invoice
What is it about? > It's about my | last electricity bill
How can I help? > I need an appointment for | my daughter
What is wrong? > The machine stops and then | nothing happens
Where did it happen? > It was right in front of | the town hall
Who recommended us? > I got your number from | my sister
How can I help? > I was wondering if | you still have rooms
What do you want to change? > I want to switch from | the small plan to the big one
Why do you want to cancel? > It is just too | expensive for me
Which one? > The one with | the red handle
`,
  ),
  ...phrasesOf(
    "hesitation",
    `
What are you calling about? > It's about, uh, | my heating
Which floor? > That would be, um, | the third floor
What can I do for you? > I need, uh, | a doctor
What else? > And then, um, | the door fell off
`,
  ),
  ...phrasesOf(
    "phone number",
    `
What is your phone number? > 6 4 6, | 2 2 0, | 1 8 7 9
What is the best number to reach you? > it's 8 5 8, | 4 1 3, | 0 0 2 6
Can you confirm your mobile number? > sure it's 9 2 5, | 3 6 0, | 7 1 4 4
`,
  ),
  ...phrasesOf(
    "other number",
    `
What is your invoice number? > 9 9 2, | 7 1 3
What is your employee id? > 4 4, | 8 1, | 6 0
Please give me your four digit code. > 1 9, | 3 7
What is the serial number? > 7 2 0, | 5 5 8, | 1 3
`,
  ),
  ...phrasesOf(
    "list",
    `
What would you like to drink? > a beer, | a lemonade, | and a glass of wine
What do you want to bring? > a tent, | two chairs, | and a table
What is on your list? > bread, | cheese, | and some apples
Which services do you need? > washing, | drying, | and ironing please
`,
  ),
  ...phrasesOf(
    "date",
    `
When would you like to check in? > on the third | of November
When can we call you back? > tomorrow | between nine and eleven
What is your date of birth? > the ninth of May | nineteen sixty four
What day would you prefer? > Thursday | or Friday next week
When did you send it? > in the middle | of last month
What time is your flight? > it leaves | at quarter past six
When should the painter come? > next week | on Tuesday
What date is on the letter? > January | the sixteenth
When does your contract end? > at the end | of October
When would you like to book? > next Saturday | for lunch
`,
  ),
  ...phrasesOf(
    "statement",
    `
How can I help you? > I would like to book a table for tonight
What is the problem? > The remote control is broken
How can I help? > My credit card was declined
What happened? > I fell off my bike
How can I help you? > I forgot my password
Tell me about the problem. > The screen stays black when I turn it on
What do you need? > I need a refund for this order
What can I do for you? > I am looking for a job
How was the food? > It was too salty for me
Where should we meet? > We can meet at the coffee shop
What should we change? > Please change the address to my new flat
Why are you late? > I missed my train because of the snow
`,
  ),
  ...phrasesOf(
    "question",
    `
How can I help you? > Do you have a table for two tonight
Anything else? > What does that cost
How can I help? > Can you help me with my order
What would you like to know? > Who do I talk to about that
How can I help you? > Could you tell me my balance
Anything else? > When will my package arrive
How can I help? > Can you send someone today
`,
  ),
  ...phrasesOf(
    "short answer",
    `
Would you like to continue? > I would
Is it urgent? > Yes very
Which size would you like? > Medium please
Who am I talking to? > Anna Schmidt
Should I repeat that? > No I got it
Would you prefer morning or afternoon? > Morning
Do you want to keep the old number? > Yes I want to keep it
Is that everything? > That's everything thanks
Did that help? > Not at all
Do you have any allergies? > Only peanuts
`,
  ),
];
