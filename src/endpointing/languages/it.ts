import { asking, numbers, phrases, words, type TurnWords } from "./word-lists.ts";

export const ITALIAN: TurnWords = {
  language: "it",
  backchannels: words("mhm mm ah eh oh sì si già certo bene ok okay esatto giusto perfetto capito chiaro ecco ottimo"),
  backchannelPhrases: phrases(
    "va bene;ho capito;d'accord;d'accordo;molto bene;certo certo;nessun problema;sì sì;ah sì;è vero",
  ),
  stops: words("ferma fermi aspetta aspetti scusi scusa no basta stop alt pausa momento"),
  stopPhrases: phrases(
    "un momento;un attimo;un secondo;no no;mi scusi;ho una domanda;mi lasci;non è così;come dice;può ripetere",
  ),
  greetings: words("pronto sì si buongiorno buonasera ciao salve chi"),
  hesitations: words("ehm eh mmm mm uhm cioè allora"),
  openTails: words(
    "un una uno il lo la i gli le l' mio mia miei mie suo sua suoi sue questo questa quello quella di del della dei delle a al alla ai " +
      "alle in nel nella con per su sul sulla da dal dalla tra fra e ed o ma perché che se quando come dove è sono era ho ha hai voglio " +
      "vorrei posso può potrei devo molto più meno anche poi prossimo prossima ogni altro altra quale chi io",
  ),
  openPhrases: phrases(
    "un momento;un attimo;vediamo;mi faccia vedere;credo che;penso che;per esempio;nel senso;mi piacerebbe;non so",
  ),
  answers: words("sì si no certo grazie ciao arrivederci esatto giusto niente nessuno perfetto bene ok"),
  questionWords: words(
    "che cosa chi quale quali dove quando come quanto quanta quanti quante perché cos'è dov'è com'è",
  ),
  numbers: numbers(
    "zero uno una due tre quattro cinque sei sette otto nove",
    "dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
  ),
  asks: asking({
    spelling: "lettera per lettera|compit|spelling",
    mail: "posta elettronica",
    phone: "telefono|cellulare|recapito|richiamar",
    digits: "numero|codice|cifre|pin|cap",
    birth: "nascita|nato|nata",
    date: "quando|data|che giorno|quale giorno",
    time: "che ora|a che ora",
    name: "nome|cognome|come si chiama|come ti chiami|con chi parlo",
    quantity: "quant[oaie]|quale età",
    or: " o | oppure ",
  }),
  address: { at: "chiocciola", dot: "punto" },
};
