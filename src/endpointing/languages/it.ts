import { phrases, words, type TurnWords } from "./word-lists.ts";

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
};
