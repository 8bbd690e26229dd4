/**
 * What only machines say. English, German, Spanish and French in one, since many menus offer another language than the agent's;
 * matched against lower case without accents, apostrophes and punctuation.
 */
const NUMBER = "(?:\\d|one|two|three|four|five|six|seven|eight|nine|zero|oh|star|pound|hash)";
const GERMAN_NUMBER = "(?:\\d|eins?|zwei|drei|vier|funf|sechs|sieben|acht|neun|null|stern|raute)";
const SPANISH_NUMBER = "(?:\\d|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|cero|asterisco|numeral|almohadilla)";
const FRENCH_NUMBER = "(?:\\d|un|deux|trois|quatre|cinq|six|sept|huit|neuf|zero|etoile|diese)";

/** One to three words that may be somebody's name or place. */
const NAME =
  "(?!(?:a|an|the|your|our|not|important|currently|now|being|because|for|very|about|all|closed|recorded|also|no|to)\\b)[\\p{L}]+(?: [\\p{L}]+){0,2}";

const anyOf = (...cues: readonly string[]): RegExp => new RegExp(`\\b(?:${cues.join("|")})(?![\\p{L}\\p{N}])`, "gu");

export const IVR_CUES: RegExp = anyOf(
  `(?:press|dial|touch|push|enter)(?: or say| the number| number| the)? ${NUMBER}(?: key)?`,
  `say or (?:press|enter)`,
  `(?:press|hit|followed by) (?:the )?(?:pound|hash|star|#|\\*|any)(?: key| sign)?`,
  "(?:for|to|if) [\\p{L}\\p{N} ]{2,60}? (?:please )?(?:press|say|dial)",
  "(?:enter|key in|type) (?:your|the|a) [\\p{L}\\p{N} ]{0,60}(?:number|code|pin|digits?|extension|date of birth|password|id)",
  "(?:enter|key in|say|speak|dial) (?:it|them|your [\\p{L} ]{2,30}|the [\\p{L} ]{2,30})(?: now| after the (?:tone|beep))",
  "(?:using|on) your (?:telephone |phone |touch tone )?key ?pad",
  "(?:your|this|all|the) calls? (?:may|will|might|is|are|can) (?:also )?(?:be )?(?:being )?(?:recorded|monitored|record)",
  "(?:your|this) call is (?:very )?important to us",
  "(?:calls?|conversations?) (?:may|are|will)(?: also)? (?:be )?(?:recorded|monitored) for",
  "for (?:quality|training) (?:assurance |and training |and quality |or training )?purposes?",
  "please (?:hold|stay on the line|remain on the line|wait) (?:while|for|and|until|during|as)",
  "please (?:continue to )?(?:hold(?! on)|stay on the line|remain on the line|listen carefully)",
  "(?:listen|listen carefully) (?:closely )?(?:to (?:all|the) |as )[\\p{L} ]{0,30}(?:options|menu)",
  "(?:our )?menu options have (?:recently )?changed",
  "(?:main|previous|following|these) (?:menu|options)",
  "(?:repeat|hear) (?:this|these|the|that|those)(?: menu| options?| message| again)+",
  "all (?:of )?(?:our |the )?[\\p{L} ]{0,30}(?:representatives?|agents?|operators?|associates?|lines|advisors?) (?:are|is) (?:currently |presently |still )?(?:busy|assisting|helping|unavailable|speaking)",
  "(?:next|first) available (?:representative|agent|operator|associate|advisor|person|member|team member)",
  "(?:will be|be) answered (?:in the order|by the next|shortly|as soon)",
  "(?:estimated|approximate|expected|average|current) (?:wait|hold|waiting) ?time",
  "you are (?:now )?(?:caller )?(?:number|next) [\\p{L}\\p{N} ]{0,12}(?:in|in the) (?:line|queue)",
  "you can (?:also )?say (?:things|something|one of|[\\p{L} ]{2,40} or [\\p{L}]+)",
  "in a few words (?:please )?(?:tell|say|describe|how)",
  "(?:that is|thats|this is|is) not a valid",
  "invalid (?:entry|option|selection|choice|input|response|extension)",
  "(?:did not|didnt) (?:get|catch|recognize|understand) (?:your|that|a) (?:response|selection|input|entry|choice)",
  "(?:otherwise|or) (?:please )?(?:stay on the line|remain on the line|hold for)",
  "if you know (?:your|the) (?:partys|parties|persons) extension",
  "(?:say|answer) yes or no",
  "(?:our|the) (?:office|offices|business|opening) (?:hours )?(?:hours are|is currently closed|are currently closed|is now closed|are closed)",
  "automated (?:attendant|system|assistant|service|phone system|voice)",
  "(?:im|i am) (?:an|your|the) (?:automated|virtual) (?:assistant|agent|attendant)",
  "(?:higher|greater) than (?:normal|usual|average) (?:call )?(?:volumes?|wait times?)",
  "(?:high|heavy|unusually high) (?:call )?volumes?",
  "(?:say|tell me|tell us|state|describe|speak) (?:briefly )?(?:the|your) (?:full )?(?:name|reason|issue|problem|first|last|nature|city|zip|account)",
  "you(?:ve| have)? (?:selected|chosen|entered|pressed)",
  "(?:we|i) (?:did not|didnt|could not|couldnt) (?:receive|hear|get|detect) (?:your|any|an|a) (?:input|response|entry|selection)",
  "(?:representative|agent|operator|associate|specialist|team member) will (?:be with|assist|answer|help) you",
  "^(?:please )?say [\\p{L} ]{2,80} or [\\p{L} ]{2,40}$",
  "(?:visit|go to) (?:us|our website|www|our web site)|www dot|dot com",
  "did you know (?:that )?you can",
  "have your [\\p{L} ]{2,40} ready",
  "to end (?:this|the|your) call",
  "(?:simply|please) hang up",
  "(?:all )?circuits are busy",
  "try (?:your call )?again later",
  "(?:office |business |opening |store )?hours are (?:from )?(?:mon|tues|wednes|thurs|fri|satur|sun)day",
  "im (?:sorry )?having trouble (?:understanding|hearing)",
  "i see (?:that )?(?:you are|youre) calling (?:about|from)",
  "if (?:this|that) is (?:correct|right|an emergency)",
  "(?:leave|enter|for) a (?:callback|call back)(?: number)?",
  "(?:transferring|connecting) (?:you|your call)(?: to| now)",
  "(?:your call (?:will be|is being|has been) (?:transferred|connected|placed|forwarded|answered))",
  "para espanol(?: (?:oprima|marque|presione|pulse)[\\p{L} ]*)?",
  // German
  `(?:drucken|wahlen|tippen|sagen)(?: sie)? (?:bitte )?(?:jetzt )?(?:die )?(?:taste |ziffer |nummer )?${GERMAN_NUMBER}`,
  "(?:bitte )?(?:geben|tippen) sie (?:bitte |jetzt )*(?:ihre|ihren|die|den) [\\p{L} ]{0,40}ein",
  "(?:ihr|dieses|das|der) (?:anruf|gesprach|telefonat) (?:kann|wird|ist|konnte) [\\p{L} ]{0,60}(?:aufgezeichnet|mitgeschnitten|wichtig)",
  "(?:bleiben|warten) sie bitte [\\p{L} ]{0,20}(?:leitung|apparat|moment)?",
  "bitte (?:bleiben|warten|haben) sie",
  "(?:alle|unsere) [\\p{L} ]{0,30}(?:mitarbeiter|leitungen|platze|berater) [\\p{L} ]{0,30}(?:im gesprach|belegt|besetzt)",
  "(?:der|dem) nachste(?:n|r)? freie(?:n|r)? (?:mitarbeiter|platz|berater)",
  "(?:voraussichtliche|geschatzte) wartezeit",
  // Spanish
  `(?:oprima|marque|presione|pulse|digite|diga)(?: o diga)? (?:la tecla |el numero |el )?${SPANISH_NUMBER}`,
  "(?:introduzca|ingrese|marque|digite|teclee) (?:su|el|la) [\\p{L} ]{0,40}(?:numero|codigo|clave|cuenta|dni|extension)",
  "(?:su|esta|la) llamada (?:es|puede|podra|sera|esta) [\\p{L} ]{0,30}(?:importante|grabada|monitoreada|atendida)",
  "(?:permanezca|mantengase|espere|no cuelgue) (?:por favor )?(?:en (?:la )?linea|a la espera)",
  "(?:todos )?nuestros (?:agentes|operadores|asesores|representantes) (?:estan|se encuentran) (?:ocupados|ocupadas)",
  // French
  `(?:tapez|appuyez sur|composez|faites|pressez|dites)(?: sur)?(?: la touche| le)? ${FRENCH_NUMBER}`,
  "(?:veuillez )?(?:saisir|saisissez|composer|composez|entrez|entrer|taper) (?:votre|le|la) [\\p{L} ]{0,40}(?:numero|code|identifiant|client)",
  "(?:votre|cet|cette|lappel) (?:appel|conversation|communication) (?:peut|est|sera|pourra|va) [\\p{L} ]{0,40}(?:enregistree?|important)",
  "(?:veuillez|merci de) (?:patienter|rester en ligne|ne pas quitter)",
  "(?:tous )?nos (?:conseillers|agents|operateurs|correspondants|lignes) sont (?:actuellement )?(?:tous |toutes )?(?:occupes|occupees|en ligne|en communication)",
);

/** What only people say when they pick up, or come on the line after a menu. */
export const HUMAN_CUES: RegExp = anyOf(
  "(?:hello|hey)$",
  "^(?:hello|hi|hey|yeah|yo)(?: (?:hello|hi|there|yes|who|yeah))*$",
  `(?:this is|its|it is) ${NAME} (?:speaking|here|how|what|who|from)`,
  `(?:this is|its|it is) ${NAME}(?: in [\\p{L} ]{2,20}| at [\\p{L} ]{2,20})?$`,
  "my names? (?:is )?[\\p{L}]+",
  "(?:who is|whos) (?:this|calling|speaking|there|that)",
  "(?:who|whom) am i (?:speaking|talking)",
  "may i (?:ask |know )?whos? (?:is )?(?:calling|speaking|this)",
  "(?!(?:start|begin|are|is|currently|still|now|when|after|before|by|of)\\b)[\\p{L}]+ speaking(?: how| what| who|$)",
  "^(?:yes )?speaking$",
  "(?:how|what) can i do for you",
  "(?:you are|youre) speaking (?:with|to)",
  "(?:can|could) you hear me",
  "(?:sorry )?(?:im|i am) (?:here|back|driving|busy|at work|in a meeting|listening)",
  "(?:what do you want|whats up|what is it|what is this about|whats this about|who do you want)",
  "(?:hallo )?(?:wer ist da|wer spricht|wer ist am apparat|mit wem spreche ich)",
  "(?:am apparat|mein name ist|was kann ich fur sie tun)",
  "(?:quien (?:es|habla|llama)|le atiende|mi nombre es|me llamo)",
  "(?:a lappareil|qui est a lappareil|cest de la part de qui|je mappelle|je vous ecoute)",
  "(?:hallo|bueno|digame|diga|allo|oui allo)$",
);

/** What people say, and menus that let one speak say too; counts where nothing else tells. */
export const WEAK_HUMAN_CUES: RegExp = anyOf(
  "how (?:can|may|could) (?:i|we) (?:help|assist)(?: you)?",
  "^(?:hello|hi|hey|yes|yeah|good (?:morning|afternoon|evening)|guten tag|guten morgen|hola|buenos dias|buenas tardes|bonjour|bonsoir|ja|si|oui)\\b",
  "(?:im|i am) (?:not|going|looking|in|on|just|afraid|a|so|sorry he|sorry she|calling|getting)",
  "i (?:dont|do not|cant|cannot|think|thought|want|need|would|was|just|pressed|can help|can take|have)",
  "(?:can|could|may|might) i (?:have|get|take|ask|put)",
  "(?:can|could|would) you (?:please )?(?:hold|wait|repeat|say|spell|tell|call)",
  "(?:hang|hold) on(?! the line)",
  "let me (?:transfer|put|see|check|get|find|look|grab|press)",
  "(?:whats going on|wrong number|anybody there|is anyone there|for here or|pickup or delivery)",
  "[\\p{L}]+ here$",
  "how may i direct",
  "(?:wie kann ich (?:ihnen )?helfen|en que (?:le )?puedo ayudar(?:le)?|comment puis je vous aider|que puis je faire)",
);
