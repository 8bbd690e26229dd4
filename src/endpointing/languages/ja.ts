import { asking, numbers, phrases, words, type TurnWords } from "./word-lists.ts";

export const JAPANESE: TurnWords = {
  language: "ja",
  backchannels: words(
    "はい うん ええ ああ へえ なるほど そう そうです ですね です ね よ そっか わかりました 分かりました 了解 了解です オッケー もちろん 確かに そうなんだ そうなんですか そうですか いいですね",
  ),
  backchannelPhrases: phrases("大丈夫です;その通りです;わかった;分かった"),
  stops: words("待って ちょっと待って 待っ 待ち ストップ やめて いいえ いや 違う 違い すみません ごめん ちょっと"),
  stopPhrases: phrases("ちょっと待って;少々お待ち;違います;もう一度;すみません;質問があります;そうじゃなくて"),
  greetings: words("もしもし はい こんにちは おはよう ございます こんばんは どうも"),
  hesitations: words("えーと えっと あの あのー その ええと うーん んー えー えと"),
  openTails: words(
    "が を に で と は も の へ から まで より けど けれど し て ので のに たら なら ば や とか って という ちょっと この その あの 私 僕",
  ),
  openPhrases: phrases("ちょっと 待って;少々 お待ち"),
  answers: words(
    "はい いいえ うん ええ いや そうです 違います ありがとう ありがとうございます 結構 結構です お願いします 大丈夫 大丈夫です もしもし",
  ),
  questionWords: words("何 誰 どこ いつ なぜ どうして どう いくら いくつ どの どれ 何時"),
  numbers: numbers("ゼロ 零 一 二 三 四 五 六 七 八 九 いち に さん よん ご ろく なな はち きゅう", "十"),
  asks: asking({
    spelling: "綴り|スペル",
    mail: "メール",
    phone: "電話|携帯|連絡先",
    digits: "番号|コード|桁|暗証",
    birth: "生年月日|誕生日|お生まれ",
    date: "いつ|日にち|何日|日付|ご希望の日",
    time: "何時|時間",
    name: "お名前|名前|どちら様|どなた",
    quantity: "いくつ|何名|何人|何個|いくら|どのくらい",
    or: "それとも|または|か.*か",
  }),
  address: { at: "アットマーク", dot: "ドット" },
  openEnd:
    /(?:が|を|に|で|と|は|も|の|へ|から|まで|けど|けれど|ので|のに|たら|て|とか|し|んですが|ですが|ますが|ですけど)$/u,
  closedEnd: /(?:です|ます|ました|でした|ません|ください|下さい|お願いします|か|よ|ね|ありがとうございます|たい)$/u,
};
