import { asking, numbers, phrases, words, type TurnWords } from "./word-lists.ts";

export const INDONESIAN: TurnWords = {
  language: "id",
  backchannels: words("mhm mm hm oh iya ya yaa oke ok baik betul benar bagus siap paham mengerti tentu sip"),
  backchannelPhrases: phrases("iya iya;ya ya;saya mengerti;tidak masalah;tidak apa-apa;sudah jelas"),
  stops: words("stop berhenti tunggu sebentar tidak bukan maaf permisi cukup"),
  stopPhrases: phrases(
    "tunggu sebentar;sebentar ya;satu menit;tidak tidak;saya ada pertanyaan;bisa diulang;sekali lagi",
  ),
  greetings: words("halo ya selamat pagi siang sore malam hai"),
  hesitations: words("eh em hmm hm anu ee"),
  openTails: words(
    "dan atau tapi tetapi karena kalau jika bahwa yang untuk dengan di ke dari pada dalam oleh tanpa sampai sejak saya aku kami dia mereka ini itu adalah ada mau ingin bisa harus akan sudah sangat juga lagi seperti apa siapa",
  ),
  openPhrases: phrases("tunggu sebentar;coba saya lihat;saya pikir;misalnya;maksud saya;saya tidak tahu"),
  answers: words("ya iya tidak bukan oke ok baik terima kasih betul benar halo"),
  questionWords: words("apa siapa mana kapan mengapa kenapa bagaimana berapa dimana"),
  numbers: numbers("nol kosong satu dua tiga empat lima enam tujuh delapan sembilan", "sepuluh sebelas"),
  asks: asking({
    spelling: "eja",
    mail: "surel",
    phone: "telepon|ponsel|handphone|dihubungi",
    digits: "nomor|kode|angka|pin",
    birth: "lahir",
    date: "kapan|tanggal|hari apa",
    time: "jam berapa|pukul",
    name: "nama|dengan siapa",
    quantity: "berapa",
    or: " atau ",
  }),
  address: { at: "at", dot: "titik" },
};
