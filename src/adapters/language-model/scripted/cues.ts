import type { Intent } from "./intents.ts";

/**
 * Words that give an intent away however the rest was heard; read on the normalized transcript. Each adds to what the meaning
 * says, so that two hints beat one.
 */
export const CUES: Readonly<Record<Intent, readonly RegExp[]>> = {
  book: [
    /\b(?:book|schedule|reserve|arrange|make|set up|get|need|want|have|like|take)\b.{0,30}\b(?:appointment|slot|visit|booking|consultation|reservation|opening)\b/u,
    /\b(?:book me|fit me in|squeeze me in|put me down|sign me up|(?:get|come) in (?:to see|on|tomorrow|this|next|for))\b/u,
    /\b(?:anything|something|any ?one|spots?|slots?|openings?|availability|times?) (?:free|open|available|left)\b|\b(?:free|available) (?:slots?|spots?|times?|appointments?)\b/u,
    /\b(?:soonest|how soon|see (?:me|us|my \w+|you guys)|get in|find a time|set (?:a|up a) (?:date|time)|on (?:the|your) (?:calendar|schedule))\b/u,
    /^(?:(?:i|i'd|i'm|can|could|to|want|like|would|please|just|looking|we) )*(?:book|schedule)\b/u,
  ],
  move: [
    /\b(?:reschedule|postpone|re schedule)\b/u,
    /\b(?:move|change|switch|shift|push|bring|swap|delay)\b.{0,40}\b(?:appointment|booking|visit|date|reservation|time|day|slot|forward|back)\b/u,
    /\b(?:move|change|switch|shift|push|postpone) (?:it|that|this|things)\b/u,
    /\b(?:another|different|other|new|better) (?:day|time|date|slot)\b/u,
    /\b(?:earlier|later) than\b|\b(?:later|earlier) (?:slot|time|appointment|one)\b|\bhours? (?:later|earlier)\b/u,
    /\b(?:on|for|at) [\w ]{2,20} but\b.{0,30}\b(?:need|want|like|rather|change)\b|\binstead of\b/u,
    /\b(?:can't|cannot|can not|couldn't|won't be able to) (?:make it|come|do) (?:on|at|that|this|then|to)\b/u,
  ],
  cancel: [
    /\b(?:cancel|cancelling|canceling|cancellation)\b/u,
    /\b(?:call|take)\b.{0,12}\boff\b/u,
    /\b(?:delete|remove|scrap|drop|erase|wipe|undo|get rid of|get out of|want out of)\b.{0,20}\b(?:appointment|booking|visit|reservation|it|that)\b/u,
    /\b(?:don't|do not|no longer) (?:need|want)\b.{0,20}\b(?:appointment|booking|visit|reservation)\b/u,
    /\b(?:not|won't be|aren't|isn't) coming\b|\bnot to come\b|\bwon't be there\b/u,
    /\b(?:don't|do not) want (?:it|that|to come)\b/u,
  ],
  hours: [
    /\b(?:opening|business|office|working) (?:hours|times)\b|\b(?:your|the|evening|weekend|late|holiday) (?:hours|times)\b/u,
    /\b(?:are|were|be|is) (?:you|it|they|the (?:office|shop|store|place))\b.{0,12}\b(?:open|closed|there)\b/u,
    /\b(?:what time|when|until when|how late|how early|which days|what days|anyone|anybody|someone)\b.{0,20}\b(?:open|close|shut|closed|there|operate|work)\b/u,
    /\bdo you (?:work|open|close)\b/u,
  ],
  address: [
    /\b(?:address|located|location|directions|whereabouts|parking|park|what street|which street|which building|what building|which floor|downtown)\b/u,
    /\bwhere\b.{0,20}\b(?:you|your|office|place|shop|clinic|practice)\b/u,
    /\bhow (?:do|can|would) i (?:get|find|come)\b/u,
  ],
  price: [
    /\b(?:price|prices|cost|costs|fee|fees|charge|charges|rate|rates|quote|estimate|expensive|cheap|pay|bill|insurance)\b/u,
    /\bhow much\b(?! (?:time|longer))/u,
  ],
  duration: [/\bhow long\b/u, /\bhow (?:much time|many minutes)\b|\b(?:quick|short|long) (?:visit|appointment)\b/u],
  identity: [
    /\b(?:robot|bot|machine|computer|ai|a i|artificial|automated|recording|real person|human being|actual person|sound human)\b/u,
    /\bwho (?:are you|is this|am i)\b|\bare you (?:a )?(?:human|person|real|robot)\b|\byour name\b|\b(?:what|which) (?:company|business|place) is this\b/u,
  ],
  human: [
    /\b(?:speak|talk|connect|transfer|put|get|give)\b.{0,20}\b(?:human|person|somebody|someone|manager|boss|supervisor|operator|representative|agent|reception|receptionist|front desk|colleague|staff)\b/u,
    /\b(?:real|actual|live) (?:human|person|somebody)\b/u,
    /\b(?:deal|speak|talking|dealing) (?:with|to)\b.{0,12}\b(?:person|people|human|boss|colleague)\b|\bcolleague\b|^(?:operator|representative|agent|reception)\b/u,
    /\bput me through\b|\bcall me back\b/u,
  ],
  repeat: [
    /\b(?:repeat|say (?:that|it) again|come again|pardon|one more time|once more)\b/u,
    /\b(?:didn't|did not|couldn't|can't) (?:catch|hear|get|understand)\b|\bmissed that\b/u,
    /\bwhat (?:did you say|was that)\b|^(?:sorry )?what$|^sorry$|^excuse me$/u,
  ],
  goodbye: [
    /\b(?:bye|goodbye|good bye|bye bye|see you|see ya|take care)\b/u,
    /\b(?:that's|that is|that'll be|that will be|that was|that's gonna be) (?:all|everything|it)\b(?! right)/u,
    /\b(?:nothing (?:else|more)|no more questions|hang up|talk soon|let you go|have a (?:nice|good|great|lovely) (?:day|rest|one|evening|weekend)|(?:i'm|we're|i am|we are) (?:all set|done|good))\b/u,
  ],
  help: [
    /\bwhat (?:can|do) you (?:do|offer|help)\b|\bwhat (?:sort|kind) of\b.{0,12}\b(?:things|help)\b|\bhow does (?:this|that|it) work\b|\bmy options\b|^help(?: me)?$/u,
  ],
  "never-mind": [
    /\b(?:never mind|nevermind|forget (?:it|about it|that)|scratch that|leave it|don't bother|changed my mind|let's not|actually don't)\b/u,
  ],
  wait: [
    /\b(?:hold on|hang on|(?:a|1|one) (?:second|sec|moment|minute)|wait (?:a|one|1|please)|bear with me|let me (?:ask|check|think|look|see|get))\b|^wait$/u,
  ],
  thanks: [/\b(?:thanks|thank you|thank u|cheers|appreciate|appreciated)\b/u],
  greeting: [/^(?:(?:hi|hello|hey|good (?:morning|afternoon|evening)|there|everyone)\b ?)+$/u],
  "how-are-you": [/\bhow (?:are you|are things|is it going|you doing)\b|\bhow's it going\b/u],
  other: [],
};
