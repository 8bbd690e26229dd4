import { asking, numbers, phrases, words, type TurnWords } from "./word-lists.ts";

export const KOREAN: TurnWords = {
  language: "ko",
  backchannels: words(
    "네 예 음 응 아 오 그래요 그렇군요 맞아요 좋아요 알겠습니다 알겠어요 오케이 ok 그럼요 물론이죠 아하 그렇죠",
  ),
  backchannelPhrases: phrases("네 네;아 네;그렇군요;잘 알겠습니다;네 알겠습니다;괜찮아요"),
  stops: words("잠깐 잠깐만 잠깐만요 잠시만요 멈춰 그만 아니 아니요 아뇨 죄송합니다 저기요 스톱"),
  stopPhrases: phrases("잠시만 기다려;잠깐만 기다려;아니 아니;질문이 있어요;다시 말해;다시 한번"),
  greetings: words("여보세요 네 예 안녕하세요"),
  hesitations: words("음 어 그 저 저기 그러니까 그게"),
  openTails: words(
    "그리고 그런데 하지만 그래서 왜냐하면 만약 그 이 저 제 저는 제가 나는 내가 우리 또 또는 더 매우 아주 좀 한",
  ),
  openPhrases: phrases("잠시만 기다려;잠깐만요;글쎄요;예를 들어;그러니까"),
  answers: words("네 예 아니요 아뇨 아니 좋아요 감사합니다 고마워요 맞아요 없어요 괜찮아요 여보세요"),
  questionWords: words("무엇 뭐 누구 어디 언제 왜 어떻게 얼마 몇 어느"),
  numbers: numbers("영 공 일 이 삼 사 오 육 칠 팔 구", "십"),
  asks: asking({
    spelling: "철자|스펠링",
    mail: "이메일|메일",
    phone: "전화|휴대폰|연락처",
    digits: "번호|코드|자리|비밀번호",
    birth: "생년월일|생일|태어",
    date: "언제|날짜|며칠|무슨 요일",
    time: "몇 시|시간",
    name: "성함|이름|누구",
    quantity: "몇|얼마",
    or: "아니면|또는|혹은",
  }),
  address: { at: "골뱅이", dot: "점" },
  openEnd:
    /(?:은|는|이|가|을|를|에|에서|에게|으로|로|와|과|하고|고|는데|은데|ㄴ데|지만|면|서|니까요 그|의|도|부터|까지)$/u,
  closedEnd: /(?:요|니다|니까|까요|세요|죠|다)$/u,
};
