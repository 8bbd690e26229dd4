import { asking, numbers, phrases, words, type TurnWords } from "./word-lists.ts";

export const FINNISH: TurnWords = {
  language: "fi",
  backchannels: words(
    "mm mhm hm joo juu kyllä niin aha ahaa okei ok selvä hyvä aivan totta juuri hienoa kiva ymmärrän",
  ),
  backchannelPhrases: phrases("joo joo;niin niin;ei hätää;ei ongelmaa;kuulostaa hyvältä;juuri niin;selvä juttu"),
  stops: words("seis stop odota odottakaa hetki hetkinen ei anteeksi sekunti lopeta"),
  stopPhrases: phrases("hetki vain;odota hetki;ei ei;minulla on kysymys;uudestaan;mitä sanoit"),
  greetings: words("haloo hei moi terve päivää huomenta iltaa"),
  hesitations: words("öö ööh hmm hm mm tota niinku eee"),
  openTails: words(
    "ja tai mutta että jos kun koska joka jotka jonka minun sinun hänen meidän teidän tämä se nämä ne minä mä on oli olen haluan haluaisin voin voisin voisinko pitää täytyy ei myös vielä noin kuin ennen jälkeen ilman kanssa varten mikä kuka missä miten",
  ),
  openPhrases: phrases("hetki vain;katsotaan;mä luulen;esimerkiksi;en tiedä;tarkoitan että;luulen että"),
  answers: words("kyllä ei joo juu okei ok kiitos hei moikka oikein selvä ei mitään"),
  questionWords: words("mitä mikä kuka missä milloin koska miksi miten kuinka mihin mistä kenen montako"),
  numbers: numbers(
    "nolla yksi kaksi kolme neljä viisi kuusi seitsemän kahdeksan yhdeksän",
    "kymmenen yksitoista kaksitoista kaksikymmentä kolmekymmentä neljäkymmentä viisikymmentä",
  ),
  asks: asking({
    spelling: "tavaa|tavata|kirjain",
    mail: "sähköposti",
    phone: "puhelinnumero|numeroon|tavoit",
    digits: "numero|koodi|numeroa",
    birth: "synty",
    date: "milloin|päivämäärä|minä päivänä",
    time: "mihin aikaan|kello|monelta",
    name: "nimi|nimenne|kuka puhuu",
    quantity: "kuinka mon|montako|kuinka paljon|kuinka vanha",
    or: " tai | vai ",
  }),
  address: { at: "ät", dot: "piste" },
};
