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
  `(?:please )?say or (?:press|enter)`,
  `(?:press|hit|followed by) (?:the )?(?:pound|hash|star|#|\\*|any)(?: key| sign)?`,
  "(?:for|to|if) [\\p{L}\\p{N} ]{2,60}? (?:please )?(?:press|say|dial)",
  "(?:please )?(?:enter|key in|type) (?:your|the|a) [\\p{L}\\p{N} ]{0,60}(?:number|code|pin|digits?|extension|date of birth|password|id)",
  "(?:enter|key in|say|speak|dial) (?:it|them|your [\\p{L} ]{2,30}|the [\\p{L} ]{2,30})(?: now| after the (?:tone|beep))",
  "using your (?:telephone |phone |touch tone )?key ?pad",
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
  "para espanol(?: (?:oprima|marque|presione|pulse)[\\p{L} ]*)?",
  // German
  `(?:drucken|wahlen|tippen|sagen) sie (?:bitte )?(?:jetzt )?(?:die )?(?:taste |ziffer |nummer )?${GERMAN_NUMBER}`,
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
  "(?:i|im|ill|ive|id) [\\p{L}]+",
  "(?:wie kann ich (?:ihnen )?helfen|en que (?:le )?puedo ayudar(?:le)?|comment puis je vous aider|que puis je faire)",
);
