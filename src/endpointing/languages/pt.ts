import { asking, numbers, phrases, words, type TurnWords } from "./word-lists.ts";

export const PORTUGUESE: TurnWords = {
  language: "pt",
  backchannels: words(
    "mhm mm aham uhum ah oh é sim tá certo claro bem bom ok exato isso perfeito beleza legal entendi pois",
  ),
  backchannelPhrases: phrases(
    "tá bom;está bem;tudo bem;muito bem;com certeza;sem problema;pois é;sim sim;estou a ver;faz sentido",
  ),
  stops: words("para pare espera espere calma desculpe desculpa perdão não chega momento"),
  stopPhrases: phrases(
    "um momento;um segundo;só um minuto;só um momento;não não;peraí;tenho uma pergunta;como assim;pode repetir;não é isso;com licença",
  ),
  greetings: words("alô estou sim oi olá bom boa dia tarde noite"),
  hesitations: words("é hum hã ah eh mmm bem"),
  openTails: words(
    "um uma uns umas o a os as meu minha meus minhas seu sua seus suas este esta esse essa de do da dos das em no na nos nas com por " +
      "pelo pela para pra sem sobre entre até desde e ou mas porque que se quando como onde é são era sou está tenho tem quero queria " +
      "preciso posso pode poderia vou muito mais menos também então próximo próxima cada outro outra qual quem eu",
  ),
  openPhrases: phrases(
    "um momento;um segundo;deixa eu ver;deixe-me ver;ou seja;acho que;por exemplo;eu gostaria;não sei;quer dizer",
  ),
  answers: words("sim não claro obrigado obrigada tchau adeus olá oi certo exato nada nenhum perfeito ok"),
  questionWords: words("o que quem qual quais onde aonde quando como quanto quanta quantos quantas por"),
  numbers: numbers(
    "zero um uma dois duas três quatro cinco seis meia sete oito nove",
    "dez onze doze treze catorze quatorze quinze dezesseis dezessete dezoito dezenove vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
  ),
  asks: asking({
    spelling: "soletr",
    mail: "correio eletr",
    phone: "telefone|telemóvel|celular|contactá|ligar de volta",
    digits: "número|código|dígitos|cep|pin|cpf",
    birth: "nascimento|nasceu",
    date: "quando|data|que dia|qual dia",
    time: "que horas|a que horas|qual horário",
    name: "nome|apelido|sobrenome|como se chama|com quem falo",
    quantity: "quant[oa]s?|que idade",
    or: " ou ",
  }),
  address: { at: "arroba", dot: "ponto" },
};
