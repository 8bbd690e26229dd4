/** What a caller may want of a turn, apart from what it says about days, times and names. */
export type Intent =
  | "book"
  | "move"
  | "cancel"
  | "hours"
  | "address"
  | "price"
  | "duration"
  | "identity"
  | "human"
  | "repeat"
  | "goodbye"
  | "help"
  | "never-mind"
  | "wait"
  | "thanks"
  | "greeting"
  | "how-are-you"
  | "other";

/** Phrases are divided by semicolons; line breaks are blanks. */
const phrases = (text: string): readonly string[] =>
  text
    .split(";")
    .map((phrase) => phrase.trim().replaceAll(/\s+/gu, " "))
    .filter((phrase) => phrase !== "");

/**
 * Sentences that mean each intent; what a caller says is compared with them by meaning. `other` draws talk that the agent is
 * not for away from the rest. Short and long forms of each, since the embedding weighs length.
 */
export const EXAMPLES: Readonly<Record<Intent, readonly string[]>> = {
  book: phrases(`
    i want to book an appointment; i would like to make an appointment; can i schedule an appointment; book me
    in; can i come in tomorrow; i'd like to come in and see you; do you have any openings; do you have any
    availability next week; is there a free slot on monday; what appointments do you have; can you fit me in on
    tuesday; i need an appointment as soon as possible; i want to reserve a time; can i see somebody this week;
    i need to be seen; sign me up for thursday; set something up for next week; i'd like an appointment for my
    son; i want to plan a meeting with you; when is your next available appointment; i need a checkup; is it
    possible to be seen today; when could you see me; how soon can i get in; i'm calling to set up a time; let's
    find a time for me to come in; could we pick a date for a visit; my husband needs an appointment; what do
    you have on thursday; do you have space for me; i'd like to get on your schedule; can you take me today; i
    want to be a new patient
  `),
  move: phrases(`
    i want to move my appointment; i need to reschedule; can i change my appointment to another day; can we make
    it a different time; i have an appointment but i cannot make that day; can i come on another day instead; i
    want to change the time of my appointment; could i come earlier than planned; could i come later than
    planned; i need to delay my visit; shift my booking to next week; that day does not work for me anymore can
    we change it; i would like a different date for my visit; is it possible to swap my appointment; push it
    back; my plans changed i need another date; i'd like to come an hour later instead; monday does not work can
    we do tuesday; i'm going to be late can we change the time; can i get a later appointment instead; i have an
    appointment on friday but need it on monday; put my appointment on another day; something came up i need a
    new time; rearrange my visit
  `),
  cancel: phrases(`
    i want to cancel my appointment; cancel my booking; i need to cancel; please remove my appointment; i can't
    come anymore please cancel it; i will not be coming; i no longer need my appointment; drop my appointment;
    take my name off the list; call the whole thing off; i don't want to come in after all; get rid of my
    reservation; erase my appointment from your system; we are not coming after all; i decided not to come; i
    don't want my appointment any more; i'm sick and won't be there; undo my booking; i want to get out of my
    appointment; withdraw my reservation; i booked something but i don't want it
  `),
  hours: phrases(`
    what are your opening hours; when are you open; what time do you open; what time do you close; how late are
    you open today; are you open on sunday; are you open on saturday; what are your business hours; which days
    are you open; are you closed on holidays; until what time are you there; what are your working hours; do you
    work on the weekend; is anybody there on saturdays; do you have late hours; are you open in the evening; how
    early do you open in the morning; which days do you work; tell me your schedule of opening; is the office
    open right now; do you close for lunch; what are the hours on tuesday
  `),
  address: phrases(`
    where are you located; what is your address; how do i find you; how do i get there; where is your office;
    which part of town are you in; can you tell me the way; where do i have to go; is there parking near you;
    what's your location; where do i come to; what is the name of the street; which building are you in; where
    can i park my car; i can't find your building; are you near the station; what's the nearest bus stop; how
    far are you from downtown; which floor is it; remind me where you are
  `),
  price: phrases(`
    how much does it cost; what is the price; what are your rates; how expensive is an appointment; what does a
    visit cost; how much do i have to pay; what do you charge for a visit; is it free; what is your fee; what
    will it cost me; do you have a price list; is there a charge; can you give me an estimate; what is your
    hourly rate; do i have to pay; how much would that be; how much money do i need; what will the bill be; do
    you take insurance; what am i paying for this
  `),
  duration: phrases(`
    how long does it take; how long is an appointment; how much time should i plan; how long will i be there;
    how many minutes is a visit; will it take long; is it a short visit; is it quick; how long will the visit
    last; when will i be finished
  `),
  identity: phrases(`
    who are you; are you a robot; are you human; am i speaking to a real person; is this a computer; am i
    talking to an ai; what is your name; who is this; who am i talking to; is this a recording; are you a bot;
    you sound like a machine; what company is this; which business did i reach; is this automated; are you an
    actual person; you don't sound like a human; is there a person on the line or a program; who am i on the
    line with
  `),
  human: phrases(`
    i want to speak to a person; can i talk to a human; let me speak to your manager; connect me to someone;
    transfer me to an operator; i want to talk to a real person; can someone call me back; give me a
    representative; put me through to reception; i don't want to talk to a robot; operator; representative
    please; i would rather talk to a person; can i speak to your colleague; is there someone else i can talk to;
    let me talk to your boss; i prefer dealing with people; get me somebody who can help
  `),
  repeat: phrases(`
    can you repeat that; say that again; what was that; pardon me; i didn't hear you; i didn't catch that; sorry
    what; i did not understand what you said; one more time please; could you speak up; you broke up there; huh;
    what; the line is bad say it again; i can't understand you; you are breaking up; can you say it slower
  `),
  goodbye: phrases(`
    goodbye; bye; see you later; have a nice day; that's all i needed; that is everything; i have no more
    questions; i have to go now; talk to you later; nothing else thank you bye; i'm done; you can hang up now;
    i'm good thanks bye; we are good have a good day; that will be it; i'll let you go; talk soon; no that's it
    for me thanks; take care
  `),
  help: phrases(`
    what can you do; what can you help me with; what are my options; how can you help me; what is this service;
    what should i say; how does that work; what can i ask you; tell me what you are able to do; what do you
    offer; how can i use this; what services do you have
  `),
  "never-mind": phrases(`
    never mind; forget it; don't bother; let's leave it; keep it the way it is; i changed my mind; don't do
    anything; let's stop this; scratch that; let's not do that after all; actually don't; you know what forget
    it; i don't want to do that now
  `),
  wait: phrases(`
    hold on; wait a moment; one second; give me a minute; let me look at my calendar; let me think; just a
    moment please; i need to check something; bear with me; hang on a sec; just a minute; let me get a pen; let
    me ask my wife
  `),
  thanks: phrases(`
    thank you; thanks a lot; thank you very much; great thanks; i appreciate it; that's very helpful; you've
    been great; that's nice of you; thanks so much; that's great thank you; perfect thank you
  `),
  greeting: phrases(`
    hello; hi; hi there; good morning; good afternoon; hello is anybody there; hey; hello can you hear me; hello
    are you there
  `),
  "how-are-you": phrases(`
    how are you; how are you doing today; how is it going; what's up; nice to meet you; how's your day going;
    how have you been
  `),
  other: phrases(`
    what's the weather like; tell me a joke; who won the football game; what is the meaning of life; what is the
    biggest city in the world; can you order me a pizza; turn on the radio; i love my cat; what do you think
    about politics; the children are playing in the garden; my computer is broken; do you believe in aliens;
    sing me a song; i had pasta for dinner; sales went up in the last year; how tall is the eiffel tower;
    translate this sentence into french; i saw a great movie yesterday; can you write my essay; the train was
    late this morning; what time is it in new york; can you recommend a restaurant; how do i bake bread; the
    stock market went down; my neighbor has a new dog; what's the score of the game; remind me to buy milk; what
    year was the war; i need a taxi to the airport; my phone battery is low; the weather is terrible today; is
    it going to rain; my favorite color is blue; spell the word banana; it is raining outside and the streets
    are wet
  `),
};
