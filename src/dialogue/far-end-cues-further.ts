/**
 * What only machines say, in the plain form, in languages beside those of `far-end-cues.ts`: which key to press for what, that everybody is
 * busy, that one is to wait, that calls are recorded.
 */
export const FURTHER_IVR_CUES: readonly string[] = [
  // German
  "(?:bitte )?bleiben sie (?:bitte )?(?:am apparat|in der leitung|dran)|(?:alle|unsere) (?:\\p{L}+ ){0,4}im gesprach",
  // French
  "(?:temps|duree) d ?attente|vous etes (?:le |la )?\\p{L}+ (?:en|dans la) (?:file|liste) d ?attente",
  // Italian
  "(?:prema|premere|digiti|digitare|selezioni|selezionare|premi) (?:il )?(?:tasto )?(?:\\d|uno|due|tre|quattro|cinque|sei|sette|otto|nove|zero|asterisco|cancelletto)",
  "(?:tutti )?i nostri (?:operatori|consulenti|addetti) (?:\\p{L}+ )?sono (?:\\p{L}+ )?(?:occupati|impegnati)|(?:rimanga|rimanere|restare|resti|attenda|attendere) (?:\\p{L}+ )?in (?:linea|attesa)|(?:la|questa) (?:chiamata|telefonata) (?:potra|potrebbe|sara|puo) (?:\\p{L}+ )?(?:essere )?registrata",
  // Portuguese
  "(?:digite|pressione|tecle|prima|marque|aperte)(?: a tecla| a opcao| o numero)? (?:\\d|um|dois|tres|quatro|cinco|seis|sete|oito|nove|zero|asterisco|cardinal|jogo da velha)",
  "(?:todos )?(?:os )?nossos (?:atendentes|operadores|assistentes|consultores|colaboradores) (?:\\p{L}+ )?(?:estao|encontram se) (?:\\p{L}+ )?ocupados|(?:aguarde|permaneca|mantenha se) (?:\\p{L}+ )?(?:na|em) linha|(?:esta|sua|a sua) (?:chamada|ligacao) (?:podera|sera|pode|esta) (?:\\p{L}+ ){0,2}gravada",
  // Dutch
  "(?:toets|druk|kies|tik)(?: dan| nu| op)?(?: een| de)? (?:\\d|een|twee|drie|vier|vijf|zes|zeven|acht|negen|nul|hekje|sterretje)",
  "(?:al )?onze medewerkers zijn (?:\\p{L}+ ){0,3}(?:in gesprek|bezet)|(?:blijf|blijft u|blijven) (?:\\p{L}+ )?aan de lijn|(?:u wordt|wij helpen u|u wordt dan) zo (?:snel|spoedig) mogelijk (?:geholpen|te woord)|wachttijd|(?:dit|uw) (?:gesprek|telefoongesprek) (?:kan|wordt) (?:\\p{L}+ ){0,3}opgenomen",
  // Polish, Czech
  "(?:wybierz|nacisnij|wcisnij|prosze wybrac|prosze nacisnac)(?: klawisz| cyfre| numer)? (?:\\d|jeden|jedynke|dwa|dwojke|trzy|trojke|cztery|piec|szesc|siedem|osiem|dziewiec|zero|gwiazdke|krzyzyk|hash)",
  "(?:wszyscy )?(?:nasi )?(?:konsultanci|doradcy|pracownicy) sa (?:\\p{L}+ ){0,3}zajeci|(?:pozostac|pozostan|pozostanie|czekac|oczekiwac) (?:\\p{L}+ )?na lini\\p{L}*|rozmow\\p{L}+ (?:\\p{L}+ ){0,3}nagrywan\\p{L}*",
  "(?:stisknete|zvolte|zmacknete)(?: prosim)?(?: klavesu| tlacitko| cislo)? (?:\\d|jedna|jednicku|dva|dvojku|tri|trojku|ctyri|pet|sest|sedm|osm|devet|nula|nulu|krizek|hvezdicku)|(?:vsichni )?(?:nasi )?operatori jsou (?:\\p{L}+ ){0,2}(?:obsazeni|zaneprazdneni)|vyckejte (?:\\p{L}+ )?na lince",
  // Swedish, Danish, Norwegian
  "(?:tryck|sla|valj|knappa in|tast|trykk|trykk pa|tryk|velg)(?: pa| in| knappen| siffran)? (?:\\d|ett|et|en|tva|to|tre|fyra|fire|fem|sex|seks|sju|syv|atta|atte|otte|nio|ni|noll|nul|null|firkant|fyrkant|stjarna|stjerne)",
  "(?:alla|alle) (?:vara|vore|vare|v[aå]re) (?:\\p{L}+ )?(?:ar|er) (?:\\p{L}+ ){0,2}(?:upptagna|optaget|optagne|opptatt)|(?:var god|vanligen) (?:\\p{L}+ )?(?:vanta|drojy?)|(?:vennligst|venligst) (?:vent|hold)|(?:du star|du er) (?:\\p{L}+ )?(?:i ko|i ko\\p{L}*|nummer \\p{L}+ i)",
  // Finnish
  "(?:paina|valitse|nappaile)(?: numero| nappainta)? (?:\\d|yksi|yhta|kaksi|kahta|kolme|nelja|viisi|kuusi|seitseman|kahdeksan|yhdeksan|nolla|ruutu|risuaita|tahti)|kaikki (?:\\p{L}+ )?(?:asiakaspalvelijamme|palveluneuvojamme|linjamme) ovat (?:\\p{L}+ )?varattu\\p{L}*|pysy\\p{L}* linjalla|puhelu\\p{L}* (?:on jonossa|tallennetaan|nauhoitetaan)|ole\\p{L}* jonossa",
  // Turkish; the letter without a dot has no plain form of its own
  "(?:\\d|bir|iki|uc|dort|bes|alt[iı]|yedi|sekiz|dokuz|s[iı]f[iı]r|kare|y[iı]ld[iı]z)\\p{L}* (?:tusuna )?(?:tuslay\\p{L}+|bas[iı]n\\p{L}*)|(?:tum )?musteri temsilcilerimiz (?:\\p{L}+ ){0,3}(?:mesgul|dolu|hizmet vermekte)\\p{L}*|kay[iı]t alt[iı]na al\\p{L}+|(?:hatta|hattan) (?:kal[iı]n\\p{L}*|bekleyin\\p{L}*|ayr[iı]lmay\\p{L}+)",
  // Russian
  "нажмите(?: клавишу| кнопку| цифру)? (?:\\d|один|единицу|два|двоику|три|троику|четыре|пять|шесть|семь|восемь|девять|ноль|решетку|звездочку)|все (?:наши )?операторы (?:\\p{L}+ )?заняты|оставаитесь на линии|разговор (?:\\p{L}+ ){0,2}записыва\\p{L}+",
];

/** The same in scripts that set no blanks between words, and in Hindi; matched against words that are joined. */
export const SCRIPT_IVR_CUES: readonly string[] = [
  "(?:[0-9０-９一二三四五六七八九]|ゼロ|零)を?(?:押して|プッシュ|お押し)|(?:シャープ|米印)を押して|(?:電話|回線)が?(?:\\p{L}{0,6})(?:混み合って|混雑して)|(?:その|この)ままお?(?:待ちください|待ち下さい)|通話(?:は|を|内容を?は?)(?:\\p{L}{0,10})録音",
  "(?:请|請)(?:直接)?按(?:[0-9]|一|二|三|四|五|六|七|八|九|零|井号|井號|星号)|(?:坐席|座席|客服|线路|線路)(?:\\p{L}{0,4})(?:繁忙|忙)|(?:通话|通話|来电)(?:\\p{L}{0,6})(?:录音|錄音)|请(?:不要挂机|耐心等待|稍候)",
  "(?:[0-9]|일|이|삼|사|오|육|칠|팔|구|영|공|별표|우물정자?)번?(?:을|를)?(?:눌러|누르)|(?:상담원|상담사)(?:이|가)?(?:\\p{L}{0,6})(?:통화중|상담중)|통화량이많|연결이지연|잠시만기다려주시면(?:\\p{L}{0,8})연결|통화(?:내용|품질)?(?:은|는|이|가)?(?:\\p{L}{0,10})녹음",
  "(?:[0-9]|एक|द|तन|चर|पच|छह|सत|आठ|न|शनय)(?:\\p{L}{0,2})?दब(?:ए|इए|य|ओ)|सभ(?:\\p{L}{0,12})(?:परतनध|एजट)(?:\\p{L}{0,8})वयसत|लइनपरबन|कलरकरड",
];
