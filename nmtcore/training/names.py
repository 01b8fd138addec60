"""Names in data augmentation: another name for a common one, on both sides of a pair, so that a model learns to copy.

A class types its own names, which no list has. So most of the new names are invented, letter for letter alike on both
sides; in a Mandarin sentence some are Chinese ones, in characters there and in pinyin in the translation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

Pair = tuple[str, str]  # source, target


def words_of(text: str) -> list[str]:
    """The words of a table that is written as text."""
    return text.split()


# None begins with an H, before which French elides in some names and not in others.
MEN: Final = words_of("""
    Adam Ahmed Alan Ali Andrew Antoine Arthur Ben Bilal Boris Bruno Carlos Cedric Dan Daniel David Dmitri Eduardo
    Emil Eric Felix Franz Fred Gabriel George Gustav Ian Ibrahim Igor Ivan Jack Jamal James Jan Jean Jeremy Joao
    Johan Jonas Jorge Joseph Karim Ken Kenji Kevin Khalid Kofi Kwame Lars Leo Li Louis Luca Lucas Malik Marco Mark
    Martin Max Mehdi Michael Miguel Mohamed Nabil Nathan Nick Nikolai Noah Olivier Omar Oscar Pablo Patrick Paul
    Pedro Peter Philip Rafael Raj Ravi Richard Robert Roger Samuel Sasha Sergei Simon Stefan Steve Takeshi Theo
    Thomas Tim Tomas Tony Vincent Wang Wei William Xavier Yusuf Zack
""")
WOMEN: Final = words_of("""
    Aisha Amina Amelie Andrea Barbara Beatrice Bella Camille Carla Carmen Caroline Catherine Chantal Charlotte
    Clara Claire Diana Dora Elena Elise Emma Eva Fiona Florence Gabriela Gloria Grace Ines Irina Isabel Jane
    Jasmine Jeanne Jessica Jin Judith Julia Julie Karen Kate Katia Laila Laura Lea Leila Lena Lily Linda Lisa
    Louise Lucy Magda Mai Margot Maria Marta Maya Mei Mia Mila Mina Miriam Nadia Naomi Natasha Nina Nora Olga
    Paula Petra Priya Rachel Rania Rosa Rose Ruth Sakura Sandra Sara Sofia Sonia Sophie Susan Svetlana Tamara
    Tanya Teresa Ursula Valerie Vera Victoria Wendy Yasmine Yoko Yuki Zainab Zelda
""")
CITIES: Final = words_of("""
    Amsterdam Ankara Atlanta Bangkok Belfast Bordeaux Boston Bristol Budapest Chicago Dakar Dallas Denver Detroit
    Dublin Florence Glasgow Jakarta Kiev Kigali Kyoto Lagos Leipzig Lima Liverpool Lyon Madrid Manchester
    Marrakech Istanbul Marseille Melbourne Miami Milan Munich Nagoya Nairobi Nantes Naples Orlando Oslo Paris
    Perth Prague Quito Riga Rome Rotterdam Santiago Seattle Sofia Stockholm Strasbourg Sydney Taipei Tokyo Toronto
    Tunis Turin Vancouver Washington Zagreb Zurich
""")
# Names that a collection of examples has, also as Mandarin writes them, and what they become.
KNOWN: Final[tuple[tuple[str, str, Sequence[str]], ...]] = (
    ("Tom|John|Jim|Bill|Bob|Mike", "汤姆|湯姆|约翰|約翰|吉姆|比尔|鲍勃|迈克", MEN),
    ("Mary|Marie|Alice|Emi", "玛丽|瑪麗|玛莉|爱丽丝", WOMEN),
    ("Boston|Tokyo|Paris|Chicago|Osaka|Kyoto", "波士顿|波士頓|东京|東京|巴黎|芝加哥|大阪|京都", CITIES),
)
# Surnames and the characters of given names, with their pinyin.
FAMILIES: Final = words_of("""
    王Wang 李Li 张Zhang 刘Liu 陈Chen 杨Yang 赵Zhao 黄Huang 周Zhou 吴Wu 徐Xu 孙Sun 胡Hu 朱Zhu 高Gao 林Lin 何He 郭Guo
    马Ma 罗Luo 梁Liang 宋Song 郑Zheng 谢Xie 韩Han 唐Tang 冯Feng 于Yu 董Dong 萧Xiao 程Cheng 曹Cao 袁Yuan 邓Deng 许Xu
    傅Fu 沈Shen 曾Zeng 彭Peng 吕Lü 苏Su 卢Lu 蒋Jiang 蔡Cai 贾Jia 丁Ding 魏Wei 薛Xue 叶Ye 阎Yan 余Yu 潘Pan 杜Du 戴Dai
    夏Xia 钟Zhong 汪Wang 田Tian 任Ren 姜Jiang 范Fan 方Fang 石Shi 姚Yao 谭Tan 廖Liao 邹Zou 熊Xiong 金Jin 陆Lu 郝Hao
    孔Kong 白Bai 崔Cui 康Kang 毛Mao 邱Qiu 秦Qin 江Jiang 史Shi 顾Gu 侯Hou 邵Shao 孟Meng 龙Long 万Wan 段Duan 雷Lei
    钱Qian 汤Tang 尹Yin 黎Li 易Yi 常Chang 武Wu 乔Qiao 贺He 赖Lai 龚Gong 文Wen
""")
GIVEN: Final = words_of("""
    伟wei 芳fang 娜na 敏min 静jing 丽li 强qiang 磊lei 军jun 洋yang 勇yong 艳yan 杰jie 娟juan 涛tao 明ming 超chao
    兰lan 霞xia 平ping 刚gang 桂gui 英ying 华hua 玉yu 萍ping 红hong 梅mei 建jian 国guo 志zhi 文wen 海hai 春chun
    秀xiu 云yun 雪xue 晓xiao 小xiao 宇yu 浩hao 轩xuan 子zi 涵han 梓zi 欣xin 怡yi 诗shi 琪qi 嘉jia 佳jia 慧hui 雅ya
    婷ting 颖ying 莹ying 琳lin 倩qian 瑶yao 璐lu 悦yue 萌meng 思si 雨yu 晨chen 辰chen 阳yang 博bo 鹏peng 飞fei
    龙long 凯kai 斌bin 彬bin 俊jun 峰feng 林lin 森sen 波bo 辉hui 光guang 亮liang 东dong 南nan 北bei 山shan 川chuan
    江jiang 河he 新xin 永yong 正zheng 德de 义yi 信xin 仁ren 礼li 智zhi 忠zhong 孝xiao 福fu 贵gui 荣rong 昌chang
    盛sheng 兴xing 旺wang 胜sheng 利li 成cheng 功gong 立li 家jia 美mei 珍zhen 凤feng 菊ju 莲lian 荷he 月yue 星xing
    天tian 然ran 安an 宁ning 康kang 健jian 乐le 欢huan 庆qing 瑞rui 祥xiang 宏hong 鸿hong 翔xiang 毅yi 哲zhe 睿rui
    航hang 昊hao 旭xu 晶jing 心xin 可ke 依yi 若ruo 梦meng 雯wen 彤tong 蕾lei 薇wei 露lu 洁jie 冰bing 燕yan 莉li
    丹dan 青qing 松song 柏bai 竹zhu 剑jian 世shi 振zhen
""")
HAN: Final = re.compile(r"[\u4e00-\u9fff]")
CHINESE = 0.4  # of the new names of people in a Mandarin sentence
INITIALS: Final = words_of("A E I O U")
ONSETS: Final = words_of("B Br D Dr F G K Kr L M N P R S Sh T Tr V Z")
MIDDLES: Final = words_of("b d f k l ll m n nd r rr s ss st t v z")
VOWELS: Final = words_of("a e i o u ai ia ie ou")
ENDS: Final = words_of("- - - n l r s t ck x")
INVENTED = 0.6  # of other names: no list has all the names of a class, so that a model must learn to copy letters
VOWEL_FIRST = 0.25  # of invented names
SURNAMES = 0.2  # of invented names get another one after them


def other_names(pair: Pair, random: np.random.Generator) -> Pair | None:
    """Another name for every common one, where both sides have the same number of them.

    The new one is spelled alike on both sides, or in characters and in pinyin.
    """
    source, target = pair
    for names, mandarin, others in KNOWN:
        # A name may touch a character, which has no space before it.
        pattern = re.compile(rf"(?<![^\W\u4e00-\u9fff])(?:{names})(?![^\W\u4e00-\u9fff])|{mandarin}")
        found = list(dict.fromkeys(pattern.findall(source)))
        if len(found) == 1 and len(set(pattern.findall(target))) == 1:
            if others is not CITIES and HAN.search(source) and random.random() < CHINESE:
                other, translated = chinese_name(random)
            else:
                invented = random.random() < INVENTED
                other = translated = _invented(random) if invented else str(random.choice(others))
            source, target = pattern.sub(other, source), _elided(pattern.sub(translated, target), translated)
    return (source, target) if source != pair[0] else None


def chinese_name(random: np.random.Generator) -> tuple[str, str]:
    """A surname and one or two characters after it, and the same in pinyin."""
    family = str(random.choice(FAMILIES))
    given = [str(part) for part in random.choice(GIVEN, size=1 if random.random() < 0.25 else 2)]
    pinyin = "".join(part[1:] for part in given).capitalize()
    return family[0] + "".join(part[0] for part in given), f"{family[1:]} {pinyin}"


def _elided(text: str, name: str) -> str:
    """Elision: French writes "de Tom" and "que Tom", but "d'Anna" and "qu'Anna"."""
    if name[0] not in INITIALS:
        return text
    return re.sub(rf"\b([Dd]|[Qq]u)e (?={name}\b)", r"\1'", text)


def _invented(random: np.random.Generator) -> str:
    names = [invented_name(random) for _ in range(2)]
    return " ".join(names) if random.random() < SURNAMES else names[0]


def invented_name(random: np.random.Generator) -> str:
    """Two or three syllables that nobody is called, such as Dravimon."""
    first = str(random.choice(INITIALS))
    if random.random() >= VOWEL_FIRST:
        first = str(random.choice(ONSETS)) + str(random.choice(VOWELS))
    middles = "".join(str(random.choice(MIDDLES)) + str(random.choice(VOWELS)) for _ in range(random.integers(1, 3)))
    return f"{first}{middles}{str(random.choice(ENDS)).strip('-')}"
