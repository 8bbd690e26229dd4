/**
 * What the greeting of a voicemail says, in the plain form of `plainWords`, with how much it tells: 3 is enough alone, 2 and 1 need
 * company. All languages stand in one list, because a network's own greeting need not speak the agent's language.
 */
export type Cue = readonly [weight: 1 | 2 | 3, pattern: string];

const ENGLISH: readonly Cue[] = [
  [
    3,
    "(?:after|at|following|wait for|until|for|on hearing|when you hear|hear) (?:the|a|you hear the) (?:\\p{L}+ )?(?:tone|beep|bleep|signal)",
  ],
  [
    3,
    "(?:please |just |kindly |then |do |simply )leave (?:\\p{L}+ ){0,6}(?:message|voicemail|name|number|details|note|info|information)",
  ],
  [2, "leave (?:\\p{L}+ ){0,6}(?:message|voicemail|name|number|details|note|info|information)"],
  [2, "leave (?:it|one|me one|us one|a) (?:here|there|message|word)"],
  [3, "(?:please |kindly )?record (?:\\p{L}+ ){0,3}message"],
  [
    3,
    "(?:my|the|our|personal|this) (?:\\p{L}+ ){0,3}(?:voice ?mail(?:box)?|mail ?box|answer(?:ing)? ?(?:machine|phone|service)|message ?bank|voice ?messag\\p{L}+)",
  ],
  [2, "voice ?mail(?:box)?|mail ?box|answer(?:ing)? ?(?:machine|phone)|message ?bank"],
  [3, "(?:mail ?box|inbox|memory|machine) is (?:now )?full"],
  [3, "(?:has|have) (?:not (?:been )?set ?up|not been initiali[sz]ed|a voice ?mail(?:box)? that)"],
  [3, "(?:call|calls) (?:has|have) been (?:\\p{L}+ )?forwarded to"],
  [
    3,
    "(?:not|unable|never) (?:\\p{L}+ )?(?:accepting|taking|receiving|accept|take|receive) (?:any )?(?:calls|messages|your call)",
  ],
  [
    3,
    "(?:cant|cannot|can not|couldnt|unable to|not able to|wont be able to|not free to) (?:\\p{L}+ ){0,2}(?:come to|get to|answer|take|pick up|reach) (?:\\p{L}+ )?(?:phone|call|calls|you)",
  ],
  [
    3,
    "(?:person|party|subscriber|customer|number|caller|user|extension|wireless customer|mobile|phone)(?: that)? (?:you|youre|youve|u|at extension)(?: are| have)? ?(?:\\p{L}+ ){0,3}(?:is|are|cannot|can not|has|isnt|does not|did not)",
  ],
  [
    3,
    "(?:is|are) (?:currently |presently |temporarily )?(?:not available|unavailable|switched off|turned off|out of (?:range|coverage|reach)|unreachable|not reachable)(?: to take| to answer| right now please| at the moment please| please)",
  ],
  [
    2,
    "(?:im|i am|we are|were|is|are|isnt|arent) (?:currently |presently |probably |either |temporarily |just |also )*(?:not available|unavailable|not (?:in|here|home|around|at (?:my|our|the|his|her) \\p{L}+)|away|out of (?:the )?(?:office|town)|on (?:vacation|holiday|leave)|out) ?(?:at the moment|right now|at this time|just now|today|until|from|for|now)?",
  ],
  [2, "(?:get|come|be) (?:right )?back to you|(?:be )?in touch (?:with you )?(?:as soon|shortly|soon)"],
  [2, "return (?:your|the|all|any) (?:phone )?(?:calls?|message)"],
  [
    2,
    "(?:call|ring|phone|text|buzz) you (?:right )?back (?:as|when|soon|shortly|once|at (?:my|our)|the (?:minute|moment)|asap|within|just)",
  ],
  [
    1,
    "(?:ill|i will|well|we will|someone will|somebody will|she will|he will) (?:give you a |try to |try and )?(?:call|ring|phone|text|buzz)(?: you)?(?: right)? ?back",
  ],
  [1, "you(?:ve| have) (?:just )?reached"],
  [
    2,
    "(?:sorry|i(?:ve)?(?: have)?) (?:i )?(?:just )?missed (?:your call|you)|missed your call|you(?:ve| have)?(?: just)? missed (?:me|us)",
  ],
  [3, "you know (?:what to do|the drill|how this works)"],
  [2, "(?:send|shoot|drop) (?:me|us) (?:a |an )?(?:text|email|message)|(?:or|just|please) text (?:me|us)"],
  [
    2,
    "(?:when|once|after) (?:you|youre|you are|youve|you have) (?:are |have |been )?(?:done|finished|completed?|recorded)|hang up (?:when|or) (?:you|press)",
  ],
  [3, "as soon as (?:i|we|he|she|they|possible) ?(?:can|am|get|possibly)?.{0,40}(?:thank you|thanks|bye|have a)"],
  [1, "as soon as (?:i|we|possible)"],
  [
    2,
    "(?:your|a|the) (?:name|number|message|call)(?: and| number| name| with)+ (?:\\p{L}+ ){0,5}(?:message|number|reason)",
  ],
  [2, "(?:we|i) (?:are|am) (?:currently )?closed"],
  [1, "(?:thank you|thanks) (?:for calling|for your call)|have a (?:great|good|nice|blessed|wonderful) (?:day|one)"],
  [1, "(?:this is|its|youve got|you got|here is) (?:\\p{L}+ ){1,2}(?:sorry|im|i am|please|i cant|leave)"],
  [2, "(?:cant|cannot|couldnt|unable to) (?:answer|pick up|talk or text)(?! your| that| any| this| for)"],
  [2, "leave one|leave it (?:at|after|here)|give (?:you|us) a (?:bell|buzz|call back|ring back)"],
  [1, "text (?:me )?if|(?:be )?sure to (?:call|ring|phone|return)"],
];

const GERMAN: readonly Cue[] = [
  [
    3,
    "nach (?:dem|den|einem|erklingen des|ertonen des) (?:\\p{L}+ )?(?:signalton|pfeifton|piepton|ton|piep|piepen|piepsen|signal|tonsignal|tone|beep|pieps)s?",
  ],
  [
    3,
    "(?:hinterlass\\p{L}*|hinterlaßt|sprechen|sprich|sprecht|aufsprech\\p{L}*|sagen) (?:\\p{L}+ ){0,7}(?:nachricht|namen|rufnummer|telefonnummer|band|mailbox|anrufbeantworter|anliegen)",
  ],
  [3, "(?:nachricht|namen|rufnummer|telefonnummer|anliegen) (?:\\p{L}+ ){0,8}hinterlass\\p{L}*"],
  [3, "mail ?box|anrufbeantworter|sprachbox|combox|voice ?box|sprachnachricht|(?:die|der|meine[r]?) voice ?mail"],
  [
    3,
    "(?:gewunschte|angerufene|gerufene|gewahlte)\\p{L}* (?:\\p{L}+ )?(?:gesprachspartner\\p{L}*|teilnehmer\\p{L}*|person|rufnummer|nummer)",
  ],
  [
    2,
    "(?:ist|sind|bin) (?:\\p{L}+ ){0,4}(?:nicht (?:\\p{L}+ ){0,3}(?:erreichbar|zu erreichen|verfugbar|besetzt|da|im buro|zu hause)|ausserhalb|unterwegs|abwesend|im urlaub|geschlossen)",
  ],
  [
    2,
    "(?:nicht|leider nicht|momentan nicht|nicht personlich) (?:ans telefon|an den apparat|entgegennehmen|annehmen|drangehen|rangehen|erreichbar|erreichen|erreichst|ans handy)",
  ],
  [2, "(?:anruf|gesprach) (?:\\p{L}+ ){0,5}(?:nicht (?:\\p{L}+ )?(?:entgegen\\p{L}*|annehmen|beantworten))"],
  [
    1,
    "(?:rufe?n?|melden?|melde) (?:\\p{L}+ ){0,7}(?:zuruck|schnellstmoglich|so bald wie moglich|sobald|umgehend|bei ihnen|bei dir)|zuruckrufen|ruckruf|baldmoglichst",
  ],
  [1, "(?:sie haben|du hast|ihr habt) (?:\\p{L}+ ){0,8}erreicht|verbunden mit|hier ist der anschluss|anschluss von"],
  [1, "vielen dank fur (?:ihren|deinen|den) anruf|offnungszeiten|burozeiten"],
];

const SPANISH: readonly Cue[] = [
  [
    3,
    "(?:despues|al|tras|luego) (?:de |del |de oir |oir |escuchar |de escuchar |el |la )*(?:tono|senal|pitido|bip|beep|sonido)|al escuchar la senal|cuando (?:suene|oiga|escuche)",
  ],
  [
    3,
    "(?:deje|deja|dejen|dejar|dejanos|dejenos|dejame|dejeme|grabe|graba|dejad) (?:\\p{L}+ ){0,5}(?:mensaje|recado|nombre|numero|datos)",
  ],
  [3, "buzon|contestador(?:a)?|casilla(?: de)? (?:voz|mensajes)|correo de voz|mensajeria|mensaje de voz"],
  [
    3,
    "(?:numero|persona|cliente|usuario|abonado|telefono|movil|celular)(?: al| a la| a quien)? (?:que )?(?:\\p{L}+ ){0,5}(?:no (?:esta|se encuentra|puede|responde|contesta)|apagado|fuera de cobertura)",
  ],
  [
    2,
    "(?:no (?:estoy|estamos|esta|se encuentra|me encuentro)|no nos encontramos) (?:\\p{L}+ ){0,3}(?:disponibles?|en casa|aqui|en la oficina|en este momento|ahora)",
  ],
  [
    3,
    "no (?:puedo|podemos|puede|pude|pudimos|podre) (?:\\p{L}+ )?(?:atender\\p{L}*|contestar\\p{L}*|responder\\p{L}*|coger|tomar|cogerte)",
  ],
  [
    1,
    "(?:te|le|os|les) (?:devolver\\p{L}+|llamar\\p{L}+|contactar\\p{L}+|responder\\p{L}+|llamo)|me (?:pondre|comunicare|comunico) |nos pondremos|en cuanto (?:pueda|podamos|me)|lo antes posible|a la brevedad|devolver\\p{L}* (?:la|tu|su) llamada",
  ],
  [1, "(?:has|ha|usted ha|se ha) (?:llamado|comunicado)|gracias por (?:su|tu) llamada|te has comunicado"],
];

const FRENCH: readonly Cue[] = [
  [3, "(?:apres|a la suite|des|au) (?:le |la |du |l)?(?:\\p{L}+ )?(?:bip|signal|tonalite|bips|beep|signal sonore)"],
  [3, "(?:laisse\\p{L}*|laisser|enregistre\\p{L}*|parle\\p{L}*) (?:\\p{L}+ ){0,5}(?:message|nom|coordonnees|numero)"],
  [3, "(?:messagerie|boite vocale|repondeur|boite de messagerie|message vocal)"],
  [
    3,
    "(?:(?:votre|le|la) )?(?:correspondant|numero|personne|l?abonne)(?:\\p{L}*) (?:\\p{L}+ ){0,8}(?:indisponible|pas (?:\\p{L}+ )?(?:disponible|joignable|repondre)|injoignable|ne (?:repond|peut))",
  ],
  [
    2,
    "(?:suis|sommes|est) (?:\\p{L}+ ){0,4}(?:absente?s?|indisponibles?|pas (?:\\p{L}+ ){0,2}(?:disponibles?|joignables?|la|en mesure)|en reunion|en conges)",
  ],
  [
    3,
    "(?:ne (?:peux|puis|pouvons|peut)|pas) (?:\\p{L}+ ){0,3}(?:vous |te )?(?:repondre|prendre (?:votre|ton) appel|decrocher)",
  ],
  [
    1,
    "(?:vous|te|on te|nous vous) (?:re)?(?:rappel\\p{L}+|contacter\\p{L}*|recontacter\\p{L}+)|des que (?:possible|je|nous)|dans les (?:plus brefs|meilleurs) delais",
  ],
  [1, "(?:vous etes|tu es|bienvenue) (?:bien )?(?:sur|au|chez|a|en)|vous avez (?:joint|appele)|merci de votre appel"],
];

const ITALIAN: readonly Cue[] = [
  [3, "(?:dopo|al|seguito) (?:il |del |la |un )?(?:\\p{L}+ )?(?:segnale|bip|beep|tono|segnale acustico)"],
  [3, "(?:lasci\\p{L}*|registr\\p{L}*) (?:\\p{L}+ ){0,5}(?:messaggio|nome|recapito|numero)"],
  [3, "segreteria|casella vocale|messaggio vocale"],
  [
    3,
    "(?:l?utente|cliente|numero|telefono|persona)(?: da lei| che)? (?:\\p{L}+ ){0,5}(?:non (?:e|puo|risponde|raggiungibile)|irraggiungibile|spento)",
  ],
  [
    2,
    "(?:non (?:sono|siamo|e)) (?:\\p{L}+ ){0,3}(?:disponibil\\p{L}|raggiungibil\\p{L}|in casa|in ufficio|qui)|(?:sono|siamo) (?:\\p{L}+ )?(?:assent\\p{L}|fuori)",
  ],
  [3, "non (?:posso|possiamo|puo|riesco|potendo) (?:\\p{L}+ ){0,2}(?:risponder\\p{L}*|parlare adesso lasci\\p{L}*)"],
  [
    1,
    "(?:vi|ti|la|sarete|sara|verra|verrete) (?:richiam\\p{L}+|ricontatt\\p{L}+)|appena possibile|al piu presto|richiamero|prima possibile",
  ],
  [1, "(?:avete|hai|ha) chiamato|risponde la|grazie per (?:aver|la)"],
];

const PORTUGUESE: readonly Cue[] = [
  [3, "(?:apos|depois|ao ouvir|a seguir|ao) (?:d?o |a |ouvir |d?e |escutar )*(?:sinal|bip|bipe|tom|beep|apito)"],
  [3, "(?:deix\\p{L}*|grav\\p{L}*) (?:\\p{L}+ ){0,5}(?:mensagem|recado|nome|numero|contacto|contato)"],
  [3, "caixa (?:de mensage\\p{L}+|postal|de correio|de voz)|secretaria eletronica|correio de voz|atendedor"],
  [
    3,
    "(?:numero|pessoa|cliente|assinante|telefone|telemovel|celular)(?: para)? (?:\\p{L}+ ){0,7}(?:nao (?:esta|pode|se encontra|atende)|indisponivel|desligado|fora d\\p{L}+ area)",
  ],
  [
    2,
    "(?:nao (?:estou|estamos|esta|me encontro)) (?:\\p{L}+ ){0,3}(?:disponive\\p{L}+|em casa|no escritorio|aqui)|(?:estou|estamos) (?:\\p{L}+ )?(?:ausente|indisponivel)",
  ],
  [3, "nao (?:posso|podemos|pode|consigo|pude) (?:\\p{L}+ )?(?:atender\\p{L}*|responder)"],
  [
    1,
    "(?:retorn\\p{L}+|ligar\\p{L}* de volta|ligo de volta|devolver\\p{L}+|entrar\\p{L}+ em contat\\p{L}+|assim que (?:possivel|puder|possamos)|logo que)",
  ],
  [1, "(?:voce|ligou|acabou de) (?:ligou |ligar )?(?:para|pra)|sua chamada"],
];

const DUTCH: readonly Cue[] = [
  [3, "(?:na|naar) (?:de|het|een) (?:\\p{L}+ )?(?:toon|piep|pieptoon|signaal|biep|beep)"],
  [
    3,
    "(?:spreek|spreekt|laat|inspreken|achterlaten) (?:\\p{L}+ ){0,6}(?:bericht|boodschap|naam|nummer|telefoonnummer)|(?:bericht|boodschap|naam|nummer) (?:\\p{L}+ ){0,6}(?:in ?spreken|achter ?laten|achter|in na)",
  ],
  [3, "(?:de|met|mijn|onze) voice ?mail|antwoordapparaat|voicebox"],
  [
    3,
    "(?:persoon|abonnee|nummer|gebruiker|degene|klant)(?: die)? (?:\\p{L}+ ){0,5}(?:niet (?:bereikbaar|beschikbaar|opnemen)|is (?:momenteel )?niet)",
  ],
  [
    2,
    "(?:ben|zijn|is|kan|kunnen|kun) (?:\\p{L}+ ){0,5}(?:niet (?:\\p{L}+ ){0,3}(?:bereikbaar|beschikbaar|aanwezig|thuis|opnemen|aannemen|beantwoorden|te woord|aan de telefoon|bereiken)|afwezig|gesloten)",
  ],
  [
    1,
    "(?:bel|bellen|belt) (?:\\p{L}+ ){0,7}terug|terug ?bellen|zo (?:snel|spoedig) mogelijk|neem (?:\\p{L}+ ){0,5}contact",
  ],
  [1, "(?:dit is de|u bent verbonden|je bent verbonden|bedankt voor)"],
];

export const LATIN_CUES: readonly Cue[] = [
  ...ENGLISH,
  ...GERMAN,
  ...SPANISH,
  ...FRENCH,
  ...ITALIAN,
  ...PORTUGUESE,
  ...DUTCH,
];
