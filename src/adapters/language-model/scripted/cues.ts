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
    /^(?:(?:i|i'd|i'm|can|could|to|want|like|would|please|just|looking|we) )*(?:book|schedule)\b/u,
  ],
  move: [
    /\b(?:reschedule|postpone|re schedule)\b/u,
    /\b(?:move|change|switch|shift|push|bring|swap|delay)\b.{0,40}\b(?:appointment|booking|visit|date|reservation|time|day|slot|forward|back)\b/u,
    /\b(?:another|different|other|new|better) (?:day|time|date|slot)\b/u,
    /\b(?:earlier|later) than\b/u,
    /\b(?:can't|cannot|can not|couldn't|won't be able to) (?:make it|come|do) (?:on|at|that|this|then|to)\b/u,
  ],
  cancel: [
    /\b(?:cancel|cancelling|canceling|cancellation)\b/u,
    /\b(?:call|take)\b.{0,12}\boff\b/u,
    /\b(?:delete|remove|scrap|drop|get rid of)\b.{0,20}\b(?:appointment|booking|visit|reservation|it|that)\b/u,
    /\b(?:don't|do not|no longer) (?:need|want)\b.{0,20}\b(?:appointment|booking|visit|reservation)\b/u,
    /\b(?:not|won't be) coming\b/u,
  ],
  hours: [
    /\b(?:opening|business|office|working) (?:hours|times)\b|\byour (?:hours|times)\b/u,
    /\b(?:are|were|be|is) (?:you|it|they|the (?:office|shop|store|place))\b.{0,12}\b(?:open|closed|there)\b/u,
    /\b(?:what time|when|until when|how late|how early|which days)\b.{0,20}\b(?:open|close|shut|closed|there)\b/u,
    /\bdo you (?:work|open|close)\b/u,
  ],
  address: [
    /\b(?:address|located|location|directions|whereabouts|parking|what street|which street)\b/u,
    /\bwhere\b.{0,20}\b(?:you|your|office|place|shop|clinic|practice)\b/u,
    /\bhow (?:do|can|would) i (?:get|find|come)\b/u,
  ],
  price: [
    /\b(?:price|prices|cost|costs|fee|fees|charge|charges|rates|expensive|cheap|pay)\b/u,
    /\bhow much\b(?! (?:time|longer))/u,
  ],
  duration: [/\bhow long\b/u, /\bhow (?:much time|many minutes)\b/u],
  identity: [
    /\b(?:robot|bot|machine|computer|ai|a i|artificial|recording|real person)\b/u,
    /\bwho (?:are you|is this|am i)\b|\bare you (?:a )?(?:human|person|real|robot)\b|\byour name\b/u,
  ],
  human: [
    /\b(?:speak|talk|connect|transfer|put|get|give)\b.{0,20}\b(?:human|person|somebody|someone|manager|operator|representative|agent|reception|receptionist|front desk|colleague|staff)\b/u,
    /\b(?:real|actual) (?:human|person|somebody)\b/u,
    /\bput me through\b|\bcall me back\b/u,
  ],
  repeat: [
    /\b(?:repeat|say (?:that|it) again|come again|pardon|one more time|once more)\b/u,
    /\b(?:didn't|did not|couldn't|can't) (?:catch|hear|get|understand)\b|\bmissed that\b/u,
    /\bwhat (?:did you say|was that)\b|^(?:sorry )?what$|^sorry$|^excuse me$/u,
  ],
  goodbye: [
    /\b(?:bye|goodbye|good bye|bye bye|see you|see ya|take care)\b/u,
    /\b(?:that's|that is|that'll be|that will be|that was) (?:all|everything|it)\b(?! right)/u,
    /\b(?:nothing (?:else|more)|no more questions|hang up|have a (?:nice|good|great) (?:day|one|evening|weekend)|i'm (?:all set|done|good))\b/u,
  ],
  help: [
    /\bwhat (?:can|do) you (?:do|offer|help)\b|\bwhat (?:sort|kind) of\b.{0,12}\b(?:things|help)\b|\bhow does (?:this|that|it) work\b|\bmy options\b|^help(?: me)?$/u,
  ],
  "never-mind": [
    /\b(?:never mind|nevermind|forget (?:it|about it|that)|scratch that|leave it|don't bother|changed my mind)\b/u,
  ],
  wait: [
    /\b(?:hold on|hang on|(?:a|1|one) (?:second|sec|moment|minute)|wait (?:a|one|1|please)|let me (?:check|think|look|see|get))\b|^wait$/u,
  ],
  thanks: [/\b(?:thanks|thank you|thank u|cheers|appreciate|appreciated)\b/u],
  greeting: [/^(?:(?:hi|hello|hey|good (?:morning|afternoon|evening)|there|everyone)\b ?)+$/u],
  "how-are-you": [/\bhow (?:are you|are things|is it going|you doing)\b|\bhow's it going\b/u],
  other: [],
};
