import { asking, numbers, phrases, words, type TurnWords } from "./word-lists.ts";

export const TURKISH: TurnWords = {
  language: "tr",
  backchannels: words(
    "hı hıhı mm hm evet tamam tabii tabi peki olur güzel doğru anladım aynen kesinlikle harika ok okey ha",
  ),
  backchannelPhrases: phrases("evet evet;tamam tamam;sorun değil;çok güzel;anlıyorum;öyle mi"),
  stops: words("dur durun bekle bekleyin dakika saniye hayır pardon affedersiniz yeter"),
  stopPhrases: phrases(
    "bir dakika;bir saniye;bir dakika bekleyin;hayır hayır;bir sorum var;tekrar eder misiniz;öyle değil",
  ),
  greetings: words("alo efendim evet merhaba selam günaydın iyi günler akşamlar"),
  hesitations: words("ee eee ıı ııı şey hmm hm yani"),
  openTails: words(
    "ve veya ya ama fakat çünkü eğer için ile gibi kadar göre sonra önce bir bu şu o benim senin onun bizim sizin her çok daha en de da ki hem ne kim nerede nasıl",
  ),
  openPhrases: phrases("bir dakika;bir saniye;bir bakayım;sanırım;mesela;yani;bilmiyorum;nasıl desem"),
  answers: words("evet hayır tamam olur peki teşekkürler sağol doğru hiç hiçbir yok var alo lütfen"),
  questionWords: words("ne kim nerede nereye nereden niçin neden nasıl hangi kaç"),
  numbers: numbers(
    "sıfır bir iki üç dört beş altı yedi sekiz dokuz",
    "on yirmi otuz kırk elli altmış yetmiş seksen doksan",
  ),
  asks: asking({
    spelling: "hece|harf harf|kodla",
    mail: "e-?posta",
    phone: "telefon|numaranız|ulaşabil",
    digits: "numara|kod|rakam|pin",
    birth: "doğum|doğdunuz",
    date: "ne zaman|tarih|hangi gün",
    time: "saat kaç|saat",
    name: "adınız|isim|ismin|soyad|kiminle",
    quantity: "kaç|ne kadar",
    or: " yoksa | veya | ya da ",
  }),
  address: { at: "et", dot: "nokta" },
  openEnd: /(?:[ıiuü]p|ken|ınca|ince|mek için|mak için)$/u,
  closedEnd:
    /(?:[ıiuü]yorum|mek istiyorum|mak istiyorum|[ae]c[ae]ğ[ıi]m|d[ıiuü]m|d[ıiuü]|m[ıiuü]s[ıi]n[ıi]z|l[ae]r m[ıi]|değil|lütfen|teşekkürler)$/u,
};
