import { asking, numbers, phrases, words, type TurnWords } from "./word-lists.ts";

export const CHINESE: TurnWords = {
  language: "zh",
  backchannels: words(
    "嗯 嗯嗯 哦 噢 啊 对 对对 是 是的 好 好的 行 可以 明白 明白了 知道 知道了 没错 当然 了解 了 ok 懂 懂了",
  ),
  backchannelPhrases: phrases("没问题;没关系;我知道了;我明白了;好吧;原来如此"),
  stops: words("停 等 等等 等一下 不 不是 不对 不用 抱歉 对不起 慢 别"),
  stopPhrases: phrases("等一下;稍等;请等;我有一个问题;我有个问题;不要说;再说一遍;别说了;一下"),
  greetings: words("喂 你好 您好 哪位 早上好 是"),
  hesitations: words("嗯 呃 那个 这个 额 啊"),
  openTails: words(
    "和 或 或者 但 但是 因为 所以 如果 的话 的 在 从 到 对 给 跟 把 被 让 为 为了 我 我们 你 他 她 这 那 一个 是 有 要 想 想要 能 可以 会 很 也 还 就 比如 然后 而且 请问",
  ),
  openPhrases: phrases("让 我 看看;我 想;我 觉得;比如 说;也 就是"),
  answers: words("是 是的 不 不是 对 好 好的 行 可以 没有 没 有 谢谢 再见 不用 当然 喂"),
  questionWords: words("什么 谁 哪 哪里 哪儿 什么时候 为什么 怎么 怎样 多少 几"),
  numbers: numbers("零 〇 一 幺 二 两 三 四 五 六 七 八 九", "十 十一 十二 二十 三十"),
  asks: asking({
    spelling: "拼|字母",
    mail: "邮箱|邮件|电邮",
    phone: "电话|手机|联系",
    digits: "号码|编号|单号|邮编|验证码|位数|密码",
    birth: "出生|生日",
    date: "什么时候|哪天|哪一天|日期|几号",
    time: "几点|时间",
    name: "名字|姓名|贵姓|哪位|怎么称呼",
    quantity: "多少|几",
    or: "还是|或者",
  }),
  address: { at: "艾特", dot: "点" },
  closedEnd: /(?:吗|呢|吧|了|谢谢|再见)$/u,
};
