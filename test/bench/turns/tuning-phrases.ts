import { phrasesOf, type Phrase } from "./phrase.ts";

/** What the policy may be tuned on. None of these sentences is in the set that reports. */
export const TUNING_PHRASES: readonly Phrase[] = [
  ...phrasesOf(
    "mid-sentence",
    `
How can I help you? > I want to book a table | for four people tonight
How can I help you? > My washing machine broke down | right after the warranty ended
What can I do for you today? > I ordered a jacket last week | and it still has not arrived
Tell me what happened. > The driver left the package | at the wrong address
How can I help? > I need to change my flight | from Tuesday to Thursday
What is the problem? > The internet stops working | every evening around eight
How can I help you today? > I would like to cancel my subscription | before the next payment
Anything else? > Can you send me the invoice | by email please
What would you like to do? > I want to move my appointment | to next Monday morning
How may I help? > My daughter lost her card | on the train yesterday
What are you looking for? > We are looking for a quiet hotel | near the main station
How can I help you? > I called you yesterday | about a broken window
`,
  ),
  ...phrasesOf(
    "function word",
    `
How can I help you? > I would like to | order a large pizza
What is it about? > I am calling about the | bill from last month
How can I help? > I need a ticket to | Boston for tomorrow
What do you need? > Could you tell me when the | next train leaves
Tell me more. > The heating does not work and | the water is cold
How can I help you? > I was told that | you could extend my contract
What seems to be wrong? > The screen is black because | I dropped the phone
When would you like to come? > I could come on | Friday afternoon
How can I help? > We have a reservation for | the twelfth of May
What happened? > Somebody parked in | front of my garage
What would you like? > I would prefer a room with | a view of the lake
Anything else? > I also want my | money back
`,
  ),
  ...phrasesOf(
    "hesitation",
    `
How can I help you? > I am looking for, um, | a birthday present for my son
When does it suit you? > Maybe, uh, | Wednesday at noon
What is the problem? > Well, um, | my account is locked
How many people? > There will be, uh, | six of us
What colour do you want? > I think, um, | the green one
Which city are you in? > I live in, uh, | Chicago
What happened then? > So I tried to, um, | restart the router
What was the last thing you did? > I opened the, uh, | settings page
How can I help? > Um, | I have a question about my bill
Who did you speak to? > It was, uh, | somebody called Peter
`,
  ),
  ...phrasesOf(
    "phone number",
    `
What is your phone number? > 5 5 5, | 2 3 4, | 6 7 8 9
Can I have your phone number please? > it is 4 1 5, | 8 8 2, | 3 0 7 6
What number can we reach you at? > 2 1 2, | 6 4 9, | 1 1 5 0
May I have a callback number? > sure, 3 0 3, | 7 7 1, | 2 2 9 8
What is your mobile number? > my number is 6 1 7, | 5 5 3, | 4 4 2 1
Could you give me your phone number? > 7 0 2, | 3 1 8, | 9 9 6 4
What is the best phone number for you? > yes it is 9 1 6, | 4 5 0, | 8 3 3 7
Please tell me your telephone number. > 8 0 8, | 9 2 1, | 5 5 0 6
`,
  ),
  ...phrasesOf(
    "other number",
    `
What is your order number? > it is 4 4 7, | 9 2 1
Can you give me the reference number? > 8 3 1, | 5 0 6, | 2 2
What are the last four digits of your card? > 6 2, | 1 9
What is your zip code? > 9 4, | 1 0 7
May I have your account number? > 3 3 5, | 7 1 8, | 4 0
Please read me the confirmation code. > 7 7 4, | 2 0 8
What is your six digit code? > 5 1 2, | 9 9 4
What is your customer number? > 1 0 6, | 4 4 3
`,
  ),
  ...phrasesOf(
    "spelling",
    `
Could you spell your last name? > S M, | I T H
How do you spell that? > J O H, | N S, | O N
Please spell your name for me. > W I L, | S O N
Can you spell that please? > B A K, | E R
How is that spelled? > M I L, | L E R
Could you spell your surname? > Carter, C A R, | T E R
Can you spell the street for me? > L I N, | C O L N
Please spell it. > T A Y, | L O R
`,
  ),
  ...phrasesOf(
    "list",
    `
What would you like to order? > two burgers, | a salad, | and a large coke
What do you need? > I need paper, | pens, | and a stapler
Which days work for you? > Monday, | Wednesday, | or Friday
What is in the box? > there are three cups, | two plates, | and a bowl
What would you like on your pizza? > mushrooms, | onions, | and extra cheese
Who is coming? > my wife, | my brother, | and my parents
What symptoms do you have? > a headache, | a sore throat, | and a bit of fever
What should I add? > milk, | eggs, | and some butter
`,
  ),
  ...phrasesOf(
    "date",
    `
When would you like to come? > next Tuesday | at three thirty
What is your date of birth? > March the fifth, | nineteen eighty two
What day works for you? > the twenty first | of June
When is your appointment? > on Thursday | at ten in the morning
What is your date of birth? > the second of August, | nineteen ninety
When should we deliver it? > on Monday | after five
What time would suit you? > at four | or half past four
When did it happen? > last Friday | around midnight
`,
  ),
  ...phrasesOf(
    "statement",
    `
How can I help you? > I would like to speak to a manager
How can I help you today? > My order has not arrived yet
What is the problem? > The door does not close properly
How can I help? > I want to return a pair of shoes
What is it about? > I am calling about my electricity bill
Where are you now? > I am standing in front of the house
What happened? > The car does not start anymore
What would you like? > I will take the chicken soup
Which one do you want? > The blue one looks nice
How did you hear about us? > A friend of mine told me about you
Tell me about it. > It started making a strange noise yesterday
Which room did you book? > We booked a double room with breakfast
`,
  ),
  ...phrasesOf(
    "question",
    `
How can I help you? > What time do you close on Sunday
Anything else? > Do you have any vegetarian dishes
How can I help? > Is there a parking lot near the hotel
What would you like to know? > How much does the large one cost
How can I help you? > Can I bring my dog with me
Do you have a question? > Where is the nearest branch
Anything else I can do? > Could you repeat the last part
How may I help? > Are you open on public holidays
What would you like to know? > How long does the delivery take
How can I help? > Do I need a passport for that
`,
  ),
  ...phrasesOf(
    "short answer",
    `
Is that correct? > Yes it is
Would you like a receipt? > No thank you
Shall I book it for you? > Yes please
Do you have an account with us? > Yes I do
May I put you on hold? > Sure
Is Friday okay? > That is fine
Are you still there? > Yes
Can I help with anything else? > No that is all
What is your name? > My name is Robert Brown
How many tickets do you need? > Three
Did you get our letter? > No I did not
What city are you calling from? > Seattle
`,
  ),
];
