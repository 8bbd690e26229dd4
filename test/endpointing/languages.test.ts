import { expect, test } from "vitest";
import { completeness } from "../../src/endpointing/completeness.ts";
import { expectedAnswer, type ExpectedAnswer } from "../../src/endpointing/expected-answer.ts";
import { wordsIn } from "../../src/endpointing/languages/word-lists.ts";
import { turnForm } from "../../src/endpointing/turn-form.ts";

test.for<[string, string, string]>([
  ["de-DE", "Ich hätte gern einen", "Ich hätte gern einen Tisch für heute Abend"],
  ["es", "Quiero una mesa para", "Quiero una mesa para cuatro personas"],
  ["fr-FR", "Je voudrais une table pour", "Je voudrais une table pour quatre"],
  ["it", "Vorrei un tavolo per", "Vorrei un tavolo per quattro persone"],
  ["pt-BR", "Queria uma mesa para", "Queria uma mesa para quatro"],
  ["nl", "Ik wil graag een tafel voor", "Ik wil graag een tafel voor vier"],
  ["pl", "Chciałbym zarezerwować stolik dla", "Chciałbym zarezerwować stolik dla czterech osób"],
  ["ru", "Я хотел бы заказать столик на", "Я хотел бы заказать столик на четверых"],
  ["uk", "Я хотів би замовити столик на", "Я хотів би замовити столик на чотирьох"],
  ["cs", "Chtěl bych rezervovat stůl pro", "Chtěl bych rezervovat stůl pro čtyři lidi"],
  ["sv", "Jag skulle vilja boka ett bord för", "Jag skulle vilja boka ett bord för fyra"],
  ["da", "Jeg vil gerne bestille et bord til", "Jeg vil gerne bestille et bord til fire"],
  ["nb", "Jeg vil gjerne bestille et bord til", "Jeg vil gjerne bestille et bord til fire"],
  ["fi", "Haluaisin varata pöydän koska", "Haluaisin varata pöydän neljälle"],
  ["tr", "Dört kişilik bir masa ve", "Dört kişilik bir masa ayırtmak istiyorum"],
  ["ro", "Aș vrea o masă pentru", "Aș vrea o masă pentru patru persoane"],
  ["id", "Saya mau pesan meja untuk", "Saya mau pesan meja untuk empat orang"],
  ["hi", "मुझे एक टेबल और", "मुझे चार लोगों के लिए टेबल चाहिए"],
  ["ar", "أريد حجز طاولة من", "أريد حجز طاولة لأربعة أشخاص"],
  ["zh", "我想订一张桌子因为", "我想订一张四个人的桌子，谢谢"],
  ["ja", "四人の席を", "四人の席を予約したいです"],
  ["ko", "네 명 자리를", "네 명 자리를 예약하고 싶어요"],
])("%s: %j goes on, and %j does not look so", ([language, open, closed]) => {
  expect(completeness(open, undefined, language)).toBeLessThan(0.2);
  expect(completeness(closed, undefined, language)).toBeGreaterThan(0.65);
});

test.for<[string, string, ExpectedAnswer["type"]]>([
  ["de", "Wie lautet Ihre Telefonnummer?", "digits"],
  ["de", "Können Sie das bitte buchstabieren?", "spelling"],
  ["de", "Wann sind Sie geboren?", "date-time"],
  ["de", "Passt Ihnen das?", "yes-no"],
  ["de", "Vormittags oder nachmittags?", "short"],
  ["de", "Was kann ich für Sie tun?", "open"],
  ["es", "¿Cuál es su número de teléfono?", "digits"],
  ["es", "Perfecto. ¿Le viene bien el lunes?", "yes-no"],
  ["es", "¿En qué puedo ayudarle?", "open"],
  ["fr", "Quel est votre prénom ?", "name"],
  ["fr", "C'est correct ?", "yes-no"],
  ["it", "Qual è la sua data di nascita?", "date-time"],
  ["pt", "Quantas pessoas?", "quantity"],
  ["nl", "Wat is uw postcode?", "digits"],
  ["pl", "Jaki jest Pana adres e-mail?", "mail-address"],
  ["ru", "Как вас зовут?", "name"],
  ["cs", "Kdy se vám to hodí?", "date-time"],
  ["sv", "Stämmer det?", "yes-no"],
  ["fi", "Mikä on puhelinnumeronne?", "digits"],
  ["tr", "Doğum tarihiniz nedir?", "date-time"],
  ["zh", "请问您的电话号码是多少？", "digits"],
  ["ja", "お名前をお願いします。", "name"],
  ["ko", "성함이 어떻게 되세요?", "name"],
  ["hi", "आपका फ़ोन नंबर क्या है?", "digits"],
  ["ar", "هل هذا صحيح؟", "open"],
  ["sw", "Nambari yako ya simu ni gani?", "open"],
])("%s: %j asks for %s", ([language, question, type]) => {
  expect(expectedAnswer(question, language).type).toBe(type);
});

test.for<[string, string, string, string]>([
  ["de", "Wie lautet Ihre Kundennummer?", "vier acht", "vier acht eins null sieben zwo drei fünf neun"],
  ["es", "¿Me dice su número de teléfono?", "seis cero", "seis cero uno dos tres cuatro cinco seis siete"],
  ["fr", "Votre numéro de téléphone ?", "zéro six", "06 12 34 56 78"],
  ["ru", "Назовите номер договора.", "пять два", "пять два один ноль семь три четыре восемь шесть"],
  ["zh", "请问您的手机号码？", "一三八", "一三八零零一三八零零零"],
  ["de", "Wann sind Sie geboren?", "am 3. Mai", "am 3. Mai 1984"],
  ["fr", "Votre adresse mail ?", "anne arobase exemple", "anne arobase exemple point fr"],
  ["es", "¿Cuál es su correo?", "ana arroba ejemplo", "ana arroba ejemplo punto com"],
  ["it", "Può fare lo spelling?", "r o s", "rossi r o s s i"],
  ["de", "Wie ist Ihr Name?", "mein Name ist", "mein Name ist Anna Schmidt"],
])("%s, after %j: %j is waited for, and %j is taken", ([language, question, part, whole]) => {
  const expected = expectedAnswer(question, language);
  expect(completeness(part, expected, language)).toBeLessThan(0.4);
  expect(completeness(whole, expected, language)).toBeGreaterThan(0.7);
});

test.for<[string, string]>([
  ["de", "Nein danke"],
  ["es", "Sí, claro"],
  ["fr", "Non, merci"],
  ["pl", "Tak, zgadza się"],
  ["ru", "Да, верно"],
  ["sv", "Nej tack"],
  ["tr", "Evet, doğru"],
  ["ja", "はい、お願いします。"],
  ["zh", "对，没错。"],
  ["ko", "네, 맞아요."],
  ["hi", "जी हाँ"],
])("%s: %j answers, and is not waited on", ([language, text]) => {
  expect(turnForm(text, { type: "yes-no" }, language).completeness).toBeGreaterThan(0.76);
});

test("a language that is not known here is no English", () => {
  expect(completeness("Ningependa kuweka nafasi to", undefined, "sw")).toBeGreaterThan(0.65);
  expect(completeness("uh", undefined, "sw")).toBeLessThan(0.1);
});

test("words keep their marks, and are found where no spaces are", () => {
  expect(wordsIn("ठीक है, हैलो!")).toEqual(["ठीक", "है", "हैलो"]);
  expect(wordsIn("cafe\u0301 noir")).toEqual(["café", "noir"]);
  expect(wordsIn("我想订一张桌子").length).toBeGreaterThan(3);
  expect(wordsIn("予約をお願いします").length).toBeGreaterThan(2);
});
