import { asking, numbers, phrases, words, type TurnWords } from "./word-lists.ts";

export const POLISH: TurnWords = {
  language: "pl",
  backchannels: words(
    "mhm mm hm aha ach oh no tak okej ok dobrze dobra jasne pewnie rozumiem racja właśnie super świetnie fajnie zgoda",
  ),
  backchannelPhrases: phrases(
    "no tak;tak tak;w porządku;nie ma sprawy;oczywiście;bardzo dobrze;no dobrze;wszystko jasne",
  ),
  stops: words("stop stój czekaj poczekaj zaczekaj chwila chwileczkę moment momencik nie przepraszam zaraz dość"),
  stopPhrases: phrases(
    "proszę poczekać;jedną chwilę;nie nie;mam pytanie;proszę powtórzyć;chwileczkę;to nie tak;jeszcze raz",
  ),
  greetings: words("halo słucham tak dzień dobry dobry cześć witam wieczór"),
  hesitations: words("yyy eee hmm hm ym no"),
  openTails: words(
    "i a ale lub albo bo ponieważ że żeby gdy kiedy jeśli czy który która które z ze w we na do od za po o u przez dla bez pod nad przed między mój moja moje mojej moim ten ta to tego tej jest są był była będzie mam ma mieć chcę chciałbym chciałabym mogę może muszę nie bardzo też jeszcze na jak co kto gdzie",
  ),
  openPhrases: phrases("proszę poczekać;zaraz sprawdzę;zobaczmy;myślę że;na przykład;to znaczy;nie wiem;wydaje mi się"),
  answers: words("tak nie dobrze ok okej dziękuję dzięki jasne oczywiście zgadza wszystko nic żaden słucham halo"),
  questionWords: words("co kto gdzie kiedy dlaczego jak jaki jaka jakie który która ile czemu skąd dokąd"),
  numbers: numbers(
    "zero jeden dwa trzy cztery pięć sześć siedem osiem dziewięć",
    "dziesięć jedenaście dwanaście trzynaście czternaście piętnaście szesnaście siedemnaście osiemnaście dziewiętnaście dwadzieścia trzydzieści czterdzieści pięćdziesiąt sześćdziesiąt siedemdziesiąt osiemdziesiąt dziewięćdziesiąt",
  ),
  asks: asking({
    spelling: "literow|przeliter",
    mail: "mailow",
    phone: "telefon|komórk|oddzwonić",
    digits: "numer|kod|cyfr|pin|pesel",
    birth: "urodz",
    date: "kiedy|dat[aęy]|który dzień|jakiego dnia",
    time: "która godzina|o której",
    name: "imię|nazwisk|jak się pan|z kim rozmawiam|nazywa",
    quantity: "ile|ilu",
    or: " czy .* czy | lub | albo ",
  }),
  address: { at: "małpa", dot: "kropka" },
};
