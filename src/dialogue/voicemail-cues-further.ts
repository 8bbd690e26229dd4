import type { Cue } from "./voicemail-cues.ts";

/** Further languages in Latin letters: Scandinavian, Finnish, Polish, Czech, Turkish, romanised Japanese and Hindi. */
export const FURTHER_LATIN_CUES: readonly Cue[] = [
  // Swedish, Danish, Norwegian
  [3, "(?:efter|etter) (?:tonen|pipet|pipen|signalen|bippet|biptonen|klartonen|pipetonen)"],
  [
    3,
    "(?:lamna|lagg|laegg|laeg|l[æa]g|legg|indtal|tala in|prata in|efterlad) (?:\\p{L}+ ){0,5}(?:meddelande|besked|beskjed|melding|namn|navn)",
  ],
  [3, "rostbrevlada|telefonsvarare?\\p{L}*|telefonsvarer\\p{L}*|mobilsvar\\p{L}*|r[oø]stbrevl[aå]da"],
  [
    2,
    "(?:kan|kunne) (?:\\p{L}+ ){0,3}(?:inte|ikke) (?:\\p{L}+ ){0,3}(?:svara|svare|ta (?:samtalet|telefonen)|tage (?:telefonen|din))|(?:ikke|inte) (?:tilgj?[eæa]ngelig|n[aå]s|tr[aæ]ffes|anvendes|treffes)",
  ],
  [
    3,
    "(?:abonnent\\p{L}*|personen|nummeret|numret)(?: (?:du|som) \\p{L}+(?: \\p{L}+)?)? (?:\\p{L}+ ){0,2}(?:kan (?:\\p{L}+ )?(?:inte|ikke) (?:\\p{L}+ )?(?:nas|traffes|treffes|træffes|kontaktes)|har (?:\\p{L}+ ){0,2}(?:avslatt|avsl[aå]tt|slukket|avstangd))|utenfor dekning\\p{L}*|uden for d[aæ]kning\\p{L}*|utanfor tackning\\p{L}*",
  ],
  [1, "ring\\p{L}* (?:\\p{L}+ ){0,4}(?:tillbaka|upp dig|tilbage|tilbake|op)"],
  // Finnish
  [
    3,
    "(?:aanimerkin|merkkiaanen|piippauksen) jalkeen|jata (?:\\p{L}+ ){0,3}viesti|(?:puhelin)?vastaaja\\p{L}*|viesti aanimerkin",
  ],
  [
    3,
    "(?:valitsemaasi|soittamaasi) (?:numeroon|numero)\\p{L}*|ei (?:juuri nyt |nyt )?(?:saada yhteytta|tavoiteta|vastata puhel\\p{L}+)",
  ],
  // Polish, Czech
  [
    3,
    "po (?:uslyszeniu |us[lł]yszeniu )?(?:sygna[lł]\\p{L}*|ton\\p{L}+)|(?:zostaw|pozostaw|nagra)\\p{L}* (?:\\p{L}+ ){0,3}(?:wiadomo\\p{L}+)|poczt\\p{L}+ g[lł]osow\\p{L}+|automatyczn\\p{L}+ sekretark\\p{L}+|abonent (?:\\p{L}+ ){0,3}(?:niedost[eę]pn\\p{L}+|nie|wy[lł][aą]czon\\p{L}+)|poza zasi[eę]giem",
  ],
  [
    3,
    "po (?:zaznen\\p{L} )?(?:signal\\p{L}*|ton\\p{L}*|pipnut\\p{L}*)|zanech\\p{L}* (?:\\p{L}+ ){0,4}(?:vzkaz|zprav\\p{L}+)|hlasov\\p{L}+ schrank\\p{L}+|volan\\p{L}+ (?:ucastnik|cislo)|zaznamnik\\p{L}*",
  ],
  // Turkish
  [
    3,
    "(?:sinyal|bip|ton)\\p{L}*(?: sesi\\p{L}*)?(?: duyduktan)? sonra|mesaj\\p{L}*(?: lutfen)? (?:b[iı]rak\\p{L}*|kaydedi\\p{L}+)|telesekreter\\p{L}*|sesli (?:mesaj|posta)\\p{L}*|arad[iı]g[iı]n[iı]z (?:ki[sş]i\\p{L}*|numara\\p{L}*)",
  ],
  // Japanese, romanised
  [
    3,
    "(?:hasshin ?on|has+h?in ?on|pii? ?to ?iu ?(?:oto|hasshin)|shingou? ?on|piitto iu) ?no? ?(?:ato|nochi)|rusuban ?(?:denwa|den)|rusu ?den|messe+ji o (?:o )?(?:nokoshi|rokuon|dozo|douzo|onegai)|(?:go ?yo+u?ken|youken) o (?:o )?(?:hanashi|nokoshi|rokuon)",
  ],
  [
    3,
    "(?:tadaima|genzai|ima) (?:\\p{L}+ ){0,5}(?:denwa|den wa) (?:ni|o|wa) (?:\\p{L}+ ){0,3}(?:deru koto ga dekimasen|deraremasen|dekimasen|tsunagarimasen)|denpa no todokanai|dengen ga haitte|rusu ni shite ?(?:ori|i)?masu?|deru koto ga dekimasen|otsunagi dekimasen",
  ],
  // Hindi, romanised
  [
    3,
    "(?:beep|tone) ke ba(?:a)?d|(?:apna |apka )?(?:sandesh|message) (?:chhod|chod|record)\\p{L}*|jis (?:vyakti|number|nambar)",
  ],
];

/**
 * Greetings in other scripts, where words are not set apart by blanks: found anywhere in the text. Japanese, Chinese, Korean,
 * Russian and Ukrainian, Greek, Arabic, Hebrew, Hindi.
 */
export const OTHER_SCRIPT_CUES: readonly Cue[] = [
  [
    3,
    "発信音|ピーという|ピーッ|ピー音|信号音|合図の後|音の後|留守番電話|留守電|留守にして|電話に出ることができません|電話に出られません|電話に出れません|電波の届かない|電源が入っていない|お繋ぎできません|おつなぎできません|伝言をお預かり|ご用件をお話|用件を録音|メッセージを(?:お)?(?:残し|録音|入れ|吹き込|どうぞ|お願い)|お預かりします|ボイスメール|お呼びしましたが",
  ],
  [1, "折り返し|のちほど|後ほど|外出して|ご用件"],
  [
    3,
    "(?:嘀|哔|滴|提示音|提示声|信号|嘟|蜂鸣|嗶|提示音)(?:\\p{L}{0,4})(?:后|後|之后|之後)|请留言|請留言|留下(?:您|你)?的?(?:\\p{L}{0,4})?(?:留言|口信|姓名|讯息|信息|訊息)|语音信箱|語音信箱|留言信箱|无法接听|無法接聽|不能接听|不便接听|暂时无法接通|暫時無法接通|已关机|已關機|您拨打的|您撥打的|不在服务区|无人接听|無人接聽",
  ],
  [
    3,
    "삐 ?소리|신호음|음성 ?사서함|메시지를 ?남겨|메세지를 ?남겨|소리샘|전화를 ?받을 ?수 ?없|연결이 ?되지 ?않아|전원이 ?꺼져|녹음해 ?주",
  ],
  [
    3,
    "(?:после|писля|пiсля|після) (?:звуков\\p{L}+ )?(?:сигнал\\p{L}*|гудк\\p{L}+|тон\\p{L}*)|остав\\p{L}+ (?:\\p{L}+ ){0,4}сообщен\\p{L}+|голосов\\p{L}+ (?:почт\\p{L}+|ящик\\p{L}*)|автоответчик\\p{L}*|абонент\\p{L}* (?:\\p{L}+ ){0,4}(?:недоступен|не может|не отвечает|выключен|вне зоны)|залиш\\p{L}+ (?:\\p{L}+ ){0,3}повидомлення|не (?:могу|можем|может) (?:\\p{L}+ ){0,2}(?:ответить|подойти)",
  ],
  [3, "μετα τ\\p{L}+ (?:\\p{L}+ )?(?:ηχο|τονο|σημα|χαρακτηριστικο)|αφηστε (?:\\p{L}+ ){0,3}μηνυμα|τηλεφωνητη\\p{L}*"],
  [
    3,
    "بعد (?:سماع )?(?:الصافرة|الصفارة|النغمة|الاشارة)|(?:اترك|ترك|اتركوا) (?:\\p{L}+ )?(?:رسالة|رسالتك|رسالتكم)|البريد الصوتي",
  ],
  [3, "(?:אחרי|לאחר) (?:ה)?(?:צליל|ביפ|צפצוף)|(?:השאר|השאירו|להשאיר)\\p{L}* הודעה|תא קולי"],
  [
    3,
    "जिस (?:वयकति|नबर|नमबर|गरहक)|(?:उपलबध|सपरक) (?:मे |म )?नही|(?:नबर|मबइल|फन) (?:\\p{L}+ ){0,4}(?:बद|सविच ऑफ)|(?:बीप|टोन) (?:के|की) बाद|सदश (?:छोड|रिकॉर्ड)|वॉइस ?मल",
  ],
];
