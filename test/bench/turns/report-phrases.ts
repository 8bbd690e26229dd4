import { phrasesOf, type Phrase } from "./phrase.ts";

/** What is reported on. Nothing is tuned on these: who changes the policy looks at the tuning set alone. */
export const REPORT_PHRASES: readonly Phrase[] = [
  ...phrasesOf(
    "mid-sentence",
    `
How can I help you? > I would like to rent a car | for the whole weekend
What is the matter? > The elevator got stuck | between the second and third floor
How can I help you? > I received a letter from you | with the wrong name on it
What can I do for you? > Please transfer the money | to my savings account
How can I help today? > My neighbour is playing loud music | again this evening
What do you want to change? > I want to update my address | because we moved last month
Tell me about the problem. > The printer prints two pages | and then it stops
What would you like? > I want to reserve two seats | in the first row
How can I help you? > We bought a sofa in your store | and one leg is missing
How may I help you? > Can you connect me | with the sales department
What is it about? > I missed the delivery | while I was at work
What do you need? > I need somebody to repair the roof | before it rains
`,
  ),
  ...phrasesOf(
    "function word",
    `
How can I help you? > I want to talk to | someone in billing
What are you calling about? > It is about a | parcel that I sent
What can I do for you? > I have an appointment with | doctor Green on Monday
How can I help? > Could you check if | my payment came through
What is wrong? > The oven gets hot but | the fan does not turn
What would you like to do? > I would like to change the | delivery address
What happened? > I slipped on the | stairs this morning
Where should it go? > Please send it to | my office
How long will you stay? > We will stay from | Monday to Thursday
Why are you leaving us? > I found a cheaper offer at | another company
What else do you need? > I need to know whether | the room has a kitchen
What do you prefer? > I would rather pay by | credit card
`,
  ),
  ...phrasesOf(
    "hesitation",
    `
How can I help you? > I want to, um, | renew my passport
Which day is best? > I would say, uh, | Saturday morning
What did you order? > It was, um, | a set of kitchen knives
How old is the device? > It must be, uh, | about three years old
Where did you lose it? > I think it was, um, | in the bus
What is your question? > Uh, | can I pay in two parts
Which model is it? > It is the, um, | the small one
What did he say? > He said that, uh, | it would take a week
Why did you call? > Well, uh, | the light keeps blinking
How many nights? > Um, | four nights please
`,
  ),
  ...phrasesOf(
    "phone number",
    `
What is your phone number? > 3 1 2, | 4 4 7, | 9 0 5 2
Could I get your phone number? > it is 7 1 8, | 2 6 0, | 5 5 1 3
What number can I call you back on? > 5 0 3, | 8 1 9, | 2 2 7 4
Please give me your mobile number. > okay, 4 0 4, | 6 3 2, | 7 7 8 1
May I have your phone number? > 9 7 2, | 5 5 8, | 3 3 4 0
What is a good contact number? > my number is 2 0 6, | 9 1 4, | 8 0 6 5
And your telephone number please? > 6 0 2, | 7 4 5, | 1 9 9 3
What is your cell phone number? > 3 0 5, | 2 8 1, | 4 6 6 7
`,
  ),
  ...phrasesOf(
    "other number",
    `
What is your booking number? > 6 5 2, | 8 0 4
Can I have your policy number? > it is 9 1 7, | 3 3 6, | 5 8
What are the last four digits of your account? > 4 0, | 7 3
And the zip code? > 6 0, | 6 1 4
What is the tracking number? > 2 2 8, | 4 6 1, | 9 0
Could you read me the case number? > 5 8 3, | 1 4 7
Please tell me your six digit pin. > 8 8 0, | 2 1 5
What is your member number? > 7 4 1, | 6 6 9
`,
  ),
  ...phrasesOf(
    "spelling",
    `
Could you spell your name please? > H A R, | R I S
How do you spell your last name? > C O O, | P E R
Can you spell that for me? > D A V, | I D, | S O N
Please spell the name of the company. > N O R, | T E X
How is your name spelled? > Parker, P A R, | K E R
Would you spell that? > F O S, | T E R
Can you spell your first name? > K A T, | R I N
Please spell the city. > D A L, | L A S
`,
  ),
  ...phrasesOf(
    "list",
    `
What do you want to order? > a cheese sandwich, | a tomato soup, | and orange juice
What is missing? > the screws, | the manual, | and one handle
Which colours do you have in mind? > red, | yellow, | or dark blue
What did you pack? > two shirts, | a coat, | and my shoes
Who should I invite? > Sarah, | Michael, | and the whole sales team
What do you grow? > we grow potatoes, | carrots, | and some beans
What should I bring? > your ticket, | your passport, | and a photo
What do you want to drink? > one coffee, | two teas, | and a glass of water
`,
  ),
  ...phrasesOf(
    "date",
    `
When do you want to travel? > on the ninth of July | in the morning
What is your date of birth? > October the third, | nineteen seventy five
When are you available? > this Wednesday | at half past nine
What is your date of birth? > the fourteenth of April, | two thousand and one
What day should I put down? > the thirtieth | of September
When did you buy it? > last December | just before Christmas
What time should we come? > at seven | or a little later
When is the meeting? > tomorrow | at two in the afternoon
`,
  ),
  ...phrasesOf(
    "statement",
    `
How can I help you? > I want to open a bank account
What is going on? > There is no hot water in my flat
How can I help today? > I lost my keys this morning
What would you like? > I would like a window seat
What is the trouble? > My password does not work anymore
How can I help? > We need a new contract for two phones
Where is the damage? > There is a scratch on the left side
What do you do? > I work in a small bakery
How was your stay? > The room was clean and very quiet
What shall I tell him? > Tell him that I will call back later
Which plan do you have? > I have the cheapest plan you offer
What did the technician say? > He told us to wait for a spare part
`,
  ),
  ...phrasesOf(
    "question",
    `
How can I help you? > When does the next bus leave
What do you want to know? > Is breakfast included in the price
Anything else? > Can you call me back tomorrow
How can I help? > Do you deliver to Canada
What is your question? > How do I reset my password
Anything else I can help with? > Where can I park my car
How may I help you? > Are there any seats left for tonight
What would you like to know? > What does the insurance cover
How can I help you? > Could I speak with the owner
Do you have a question? > Will it rain during the weekend
`,
  ),
  ...phrasesOf(
    "short answer",
    `
Is this your first visit? > Yes it is
Do you want me to continue? > Yes go ahead
Would you like to leave a message? > No thanks
Was everything okay? > Everything was fine
Are you the owner of the account? > Yes I am
Can you hold for a moment? > Of course
Is this a good time? > Not really
Does that work for you? > That works
Who am I speaking to? > This is Linda Evans
How many guests? > Five
Have you been here before? > No never
Which country is that in? > In Portugal
`,
  ),
];
