import { asking, numbers, phrases, words, type TurnWords } from "./word-lists.ts";

export const SPANISH: TurnWords = {
  language: "es",
  backchannels: words(
    "mhm mm ajá aja ah oh eh sí si ya claro vale bueno bien exacto correcto ok okey perfecto genial entiendo cierto",
  ),
  backchannelPhrases: phrases(
    "de acuerdo;muy bien;está bien;por supuesto;ya veo;ya entiendo;sin problema;sí sí;así es;qué bien",
  ),
  stops: words("para pare espera espere alto perdón perdone disculpe disculpa no basta momento"),
  stopPhrases: phrases(
    "un momento;un segundo;no no;espera un;espere un;tengo una pregunta;cómo dice;otra vez;déjeme hablar;no es eso;eso no",
  ),
  greetings: words("hola sí si diga dígame bueno aló buenos buenas días tardes noches quién"),
  hesitations: words("eh em este mmm mm ehm pues"),
  openTails: words(
    "un una unos unas el la los las lo mi mis su sus tu tus este esta estos estas ese esa de del a al en con por para sin sobre entre " +
      "hasta desde y e o u pero porque que si cuando como donde es son era soy está están he ha hay quiero quería quisiera necesito puedo " +
      "puede podría voy tengo tiene muy más menos también entonces próximo próxima cada otro otra qué cuál quién cómo dónde yo",
  ),
  openPhrases: phrases(
    "un momento;un segundo;a ver;déjeme ver;déjame ver;o sea;es que;creo que;por ejemplo;me gustaría;no sé",
  ),
  answers: words("sí si no vale claro gracias adiós hola correcto exacto nada ninguno perfecto bueno bien"),
  questionWords: words("qué quién quiénes cuál cuáles dónde adónde cuándo cómo cuánto cuánta cuántos cuántas por"),
  numbers: numbers(
    "cero uno una dos tres cuatro cinco seis siete ocho nueve",
    "diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
  ),
  asks: asking({
    spelling: "deletre",
    mail: "correo",
    phone: "teléfono|móvil|celular|llamarle|contactarle",
    digits: "número|código|dígitos|pin|cifras",
    birth: "nacimiento|nació|naciste",
    date: "cuándo|fecha|qué día",
    time: "qué hora|a qué hora",
    name: "nombre|apellido|cómo se llama|cómo te llamas|con quién hablo",
    quantity: "cuánt[oa]s?|qué edad",
    or: " o ",
  }),
  address: { at: "arroba", dot: "punto" },
};
