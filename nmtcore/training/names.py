"""Name replacement, a data augmentation: another name on both sides of a pair, so that a model learns to copy.

A class types its own names, which no list has. So most of the new names are invented, letter for letter alike on both
sides; in a Mandarin sentence some are Chinese ones, in characters there and in pinyin in the translation.
"""

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

TextPair = tuple[str, str]  # source and target of a sentence pair


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
# Names that a collection of examples has, and how Mandarin writes them.
MEN_IN_MANDARIN: Final = words_of("""
    Tom/汤姆 Tom/湯姆 John/约翰 John/約翰 Jim/吉姆 Bill/比尔 Bob/鲍勃 Mike/迈克 Peter/彼得 Paul/保罗 David/大卫
    Michael/迈克尔 James/詹姆斯 George/乔治 Henry/亨利 Charles/查尔斯 William/威廉 Robert/罗伯特 Richard/理查德
    Thomas/托马斯 Daniel/丹尼尔 Kevin/凯文 Martin/马丁 Andrew/安德鲁 Simon/西蒙 Philip/菲利普 Victor/维克托
    Oliver/奥利弗 Leo/利奥 Adam/亚当 Alex/亚历克斯 Eric/埃里克 Ivan/伊万 Carlos/卡洛斯 Diego/迭戈 Pedro/佩德罗
    José/何塞 Juan/胡安 Ahmed/艾哈迈德 Mohammed/穆罕默德 Ali/阿里 Omar/奥马尔 Hassan/哈桑 Raj/拉杰 Pierre/皮埃尔
    Antonio/安东尼奥 Marco/马可 Luca/卢卡 Hans/汉斯 Karl/卡尔 Boris/鲍里斯 Igor/伊戈尔 Sergei/谢尔盖 Kofi/科菲
    Samuel/塞缪尔 Joseph/约瑟夫 Edward/爱德华 Harry/哈利 Steven/史蒂文 Lucas/卢卡斯 Noah/诺亚
""")
WOMEN_IN_MANDARIN: Final = words_of("""
    Mary/玛丽 Mary/瑪麗 Mary/玛莉 Marie/玛丽 Alice/爱丽丝 Emi/埃米 Anna/安娜 Lucy/露西 Lily/莉莉 Emma/艾玛
    Emily/艾米丽 Sarah/萨拉 Linda/琳达 Lisa/丽莎 Susan/苏珊 Helen/海伦 Kate/凯特 Laura/劳拉 Julia/朱莉娅
    Sophia/索菲亚 Maria/玛丽亚 Elizabeth/伊丽莎白 Victoria/维多利亚 Margaret/玛格丽特 Diana/戴安娜 Nancy/南希
    Betty/贝蒂 Amy/艾米 Cindy/辛迪 Jenny/珍妮 Olivia/奥利维娅 Charlotte/夏洛特 Natalie/娜塔莉 Natasha/娜塔莎
    Olga/奥尔加 Elena/埃琳娜 Carmen/卡门 Isabella/伊莎贝拉 Fatima/法蒂玛 Aisha/艾莎 Layla/莱拉 Priya/普里娅
    Ingrid/英格丽德 Eva/伊娃 Monica/莫妮卡 Angela/安吉拉 Sandra/桑德拉 Barbara/芭芭拉 Rachel/瑞秋 Rebecca/丽贝卡
    Hannah/汉娜 Camille/卡米耶 Nina/尼娜 Amina/阿米娜 Zoe/佐伊 Chloe/克洛伊 Sonia/索尼娅 Tina/蒂娜 Wendy/温迪
    Vera/薇拉
""")
CITIES_IN_MANDARIN: Final = words_of("""
    Boston/波士顿 Boston/波士頓 Tokyo/东京 Tokyo/東京 Paris/巴黎 Chicago/芝加哥 Osaka/大阪 Kyoto/京都 London/伦敦
    Berlin/柏林 Rome/罗马 Madrid/马德里 Moscow/莫斯科 Vienna/维也纳 Athens/雅典 Lisbon/里斯本 Dublin/都柏林
    Prague/布拉格 Budapest/布达佩斯 Warsaw/华沙 Brussels/布鲁塞尔 Amsterdam/阿姆斯特丹 Geneva/日内瓦 Zurich/苏黎世
    Milan/米兰 Venice/威尼斯 Barcelona/巴塞罗那 Munich/慕尼黑 Hamburg/汉堡 Frankfurt/法兰克福 Stockholm/斯德哥尔摩
    Oslo/奥斯陆 Copenhagen/哥本哈根 Helsinki/赫尔辛基 Istanbul/伊斯坦布尔 Cairo/开罗 Nairobi/内罗毕 Lagos/拉各斯
    Casablanca/卡萨布兰卡 Dubai/迪拜 Tehran/德黑兰 Baghdad/巴格达 Mumbai/孟买 Delhi/德里 Bangkok/曼谷 Hanoi/河内
    Jakarta/雅加达 Manila/马尼拉 Singapore/新加坡 Seoul/首尔 Busan/釜山 Sydney/悉尼 Melbourne/墨尔本 Auckland/奥克兰
    Toronto/多伦多 Vancouver/温哥华 Montreal/蒙特利尔 Washington/华盛顿 Seattle/西雅图 Houston/休斯敦 Miami/迈阿密
    Lima/利马 Santiago/圣地亚哥 Havana/哈瓦那 Beijing/北京 Shanghai/上海 Guangzhou/广州 Shenzhen/深圳 Nanjing/南京
    Hangzhou/杭州 Chengdu/成都 Chongqing/重庆 Wuhan/武汉 Xi'an/西安 Tianjin/天津 Suzhou/苏州 Qingdao/青岛 Dalian/大连
    Harbin/哈尔滨 Kunming/昆明 Xiamen/厦门 Guilin/桂林 Lhasa/拉萨 Changsha/长沙 Jinan/济南 Luoyang/洛阳 Taipei/台北
    Macau/澳门
""")
# Surnames and the characters of given names, with their pinyin.
FAMILIES: Final = words_of("""
    王Wang 李Li 张Zhang 刘Liu 陈Chen 杨Yang 赵Zhao 黄Huang 周Zhou 吴Wu 徐Xu 孙Sun 胡Hu 朱Zhu 高Gao 林Lin 何He 郭Guo
    马Ma 罗Luo 梁Liang 宋Song 郑Zheng 谢Xie 韩Han 唐Tang 冯Feng 于Yu 董Dong 萧Xiao 程Cheng 曹Cao 袁Yuan 邓Deng 许Xu
    傅Fu 沈Shen 曾Zeng 彭Peng 吕Lü 苏Su 卢Lu 蒋Jiang 蔡Cai 贾Jia 丁Ding 魏Wei 薛Xue 叶Ye 阎Yan 余Yu 潘Pan 杜Du 戴Dai
    夏Xia 钟Zhong 汪Wang 田Tian 任Ren 姜Jiang 范Fan 方Fang 石Shi 姚Yao 谭Tan 廖Liao 邹Zou 熊Xiong 金Jin 陆Lu 郝Hao
    孔Kong 白Bai 崔Cui 康Kang 毛Mao 邱Qiu 秦Qin 江Jiang 史Shi 顾Gu 侯Hou 邵Shao 孟Meng 龙Long 万Wan 段Duan 雷Lei
    钱Qian 汤Tang 尹Yin 黎Li 易Yi 常Chang 武Wu 乔Qiao 贺He 赖Lai 龚Gong 文Wen 姬Ji 申Shen 耿Geng 苗Miao 梅Mei 温Wen
    祝Zhu 符Fu 盛Sheng 肖Xiao 焦Jiao 鲁Lu 洪Hong 尤You 柯Ke 葛Ge 聂Nie 章Zhang 樊Fan 兰Lan 殷Yin 施Shi 陶Tao 安An
    颜Yan 倪Ni 严Yan 牛Niu 季Ji 俞Yu 伍Wu 韦Wei 毕Bi 丛Cong 向Xiang 柳Liu 邢Xing 骆Luo 岳Yue 齐Qi 莫Mo 庄Zhuang
    辛Xin 管Guan 左Zuo 涂Tu 谷Gu 祁Qi 舒Shu 路Lu 詹Zhan 关Guan 凌Ling 费Fei 纪Ji 童Tong 欧Ou 甄Zhen 项Xiang 曲Qu
    成Cheng 游You 阳Yang 裴Pei 席Xi 卫Wei 霍Huo 翁Weng 甘Gan 景Jing 包Bao 司Si 柏Bai 宁Ning 阮Ruan 桂Gui 柴Chai
    华Hua 车Che 冉Ran 房Fang 边Bian 翟Zhai 查Zha 单Shan 解Xie 褚Chu 阚Kan
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
    丹dan 青qing 松song 柏bai 竹zhu 剑jian 世shi 振zhen 沐mu 曦xi 玲ling 娇jiao 婉wan 蓉rong 芬fen 琴qin 素su 桃tao
    杏xing 柳liu 枫feng 桐tong 楠nan 桦hua 榕rong 槐huai 栋dong 梁liang 栩xu 彦yan 昕xin 昱yu 晗han 晟sheng 晴qing
    暖nuan 暄xuan 曼man 朗lang 朝chao 杉shan 棠tang 楚chu 榆yu 樱ying 汉han 沁qin 沛pei 泽ze 泓hong 津jin 洲zhou
    浦pu 淑shu 清qing 渊yuan 渝yu 湘xiang 源yuan 溪xi 滢ying 漫man 潇xiao 澜lan 灵ling 炎yan 炜wei 烁shuo 烨ye
    焕huan 煜yu 熙xi 爱ai 玄xuan 玥yue 珂ke 珊shan 珠zhu 珮pei 琦qi 琰yan 琼qiong 瑛ying 瑜yu 瑾jin 璇xuan 璟jing
    甜tian 甫fu 畅chang 皓hao 盈ying 眉mei 真zhen 睛jing 硕shuo 祎yi 祺qi 禾he 秋qiu 程cheng 笑xiao 筠yun 筱xiao
    粤yue 纪ji 纯chun 紫zi 纹wen 绍shao 维wei 绮qi 缘yuan 群qun 羽yu 翠cui 翰han 耀yao 聪cong 胤yin 舒shu 舟zhou
    良liang 艺yi 芊qian 芝zhi 芮rui 芷zhi 苑yuan 苒ran 苗miao 茂mao 茜qian 茵yin 茹ru 菁jing 菡han 菲fei 萱xuan
    葵kui 蒙meng 蓓bei 蓝lan 蔓man 薪xin 藤teng 虎hu 虹hong 衡heng 裕yu 诚cheng 语yu 诺nuo 谦qian 贝bei 贤xian 赫he
    越yue 跃yue 轶yi 辛xin 迅xun 迎ying 逸yi 邦bang 郁yu 钊zhao 钢gang 钧jun 铭ming 锋feng 锐rui 锦jin 闯chuang
    闻wen 陶tao 雁yan 雄xiong 雷lei 霄xiao 霆ting 霖lin 靖jing 韵yun 音yin 韬tao 韶shao 顺shun 风feng 馨xin 骏jun
    高gao 魁kui 鲁lu 鸣ming 鹤he 麒qi 麟lin 黛dai 默mo 齐qi 奇qi 奕yi 妍yan 妙miao 姗shan 姝shu 姣jiao 娅ya 婧jing
    媛yuan 嫣yan 孟meng 季ji 学xue 宗zong 宜yi 宝bao 宣xuan 宸chen 容rong 寒han 寿shou 尚shang 尧yao 岚lan 岩yan
    岳yue 峻jun 崇chong 巍wei 巧qiao 帅shuai 帆fan 幼you 广guang 延yan 弘hong 彪biao 征zheng 微wei 恒heng 恩en
    恬tian 悠you 情qing 惠hui 惟wei 慕mu 戈ge 扬yang 承cheng 捷jie 敬jing 昭zhao 晋jin 普pu 景jing 曙shu 杨yang
    桥qiao 梵fan 棋qi 楷kai 歌ge 武wu 殊shu 民min 汝ru 汶wen 沙sha 泉quan 泰tai 洛luo 济ji 浣huan 淇qi 深shen 淳chun
    湛zhan 滔tao 滨bin 漪yi 灏hao 炫xuan 烈lie 牧mu 献xian 环huan 琅lang 琛chen 瑄xuan 申shen 益yi 知zhi 碧bi 禄lu
    秉bing 秦qin 穆mu 竞jing 笛di 简jian 纬wei 绪xu 罡gang 翎ling 耕geng 聿yu 舜shun 艾ai 芙fu 莎sha 莺ying 菀wan
    蒲pu 蕴yun 袁yuan 豪hao 贞zhen 赋fu 轲ke 辙zhe 辽liao 逊xun 野ye 钰yu 铮zheng 闵min 陵ling 隽juan 雍yong 霏fei
    韦wei 颂song 颐yi 香xiang 驰chi 骁xiao 魏wei 鲲kun
""")
HAN: Final = re.compile(r"[\u4e00-\u9fff]")
TRANSLITERATED = 0.3  # of the new names in a Mandarin sentence are foreign ones in characters
CHINESE = 0.5  # of the others, where they are of people
INITIALS: Final = words_of("A E I O U")
ONSETS: Final = words_of("B Br Ch D Dr F G Gr J K Kh Kr L M N Ny P Pr R S Sh St T Tr Ts V W Y Z Zh")
MIDDLES: Final = words_of("b ch d f g gn h j k kk l ld ll m mb n nd ng nh r rk rr s sh ss st t th v w y z")
VOWELS: Final = words_of("a e i o u ai ia ie ou")
ENDS: Final = words_of("- - - - n l r s t ck x m d g h ng nd z")
INVENTED = 0.6  # of other names: no list has all the names of a class, so that a model must learn to copy letters
VOWEL_FIRST = 0.25  # of invented names
# Letters as French and many other languages write them; most are no piece of a vocabulary but two bytes.
ACCENTS: Final = dict(
    word.split("/")
    for word in words_of("""
    a/áàâãäåāăą c/ćčç d/ďđ e/éèêëėęěē g/ğģ i/íîïīı k/ķ l/łľ n/ñńňņ o/óôõöøōő r/řŕ s/śšşș t/ťţț u/úûüūůűų y/ýÿ z/źżž
    """)
)
ACCENTED = 0.2  # of invented names have such a letter after the first
SURNAMES = 0.35  # of other names of people get another one after them


def _name_pattern(names: Sequence[str]) -> re.Pattern[str]:
    """Any of these names, written Latin/Mandarin. One may touch a character, which has no space before it."""
    latin, mandarin = (
        "|".join(sorted({name.split("/")[side] for name in names}, key=len, reverse=True)) for side in (0, 1)
    )
    return re.compile(rf"(?<![^\W\u4e00-\u9fff])(?:{latin})(?![^\W\u4e00-\u9fff])|{mandarin}")


REPLACED: Final = (  # what finds a name of a kind; others of it, and others that Mandarin writes in characters
    (_name_pattern(MEN_IN_MANDARIN), MEN, MEN_IN_MANDARIN),
    (_name_pattern(WOMEN_IN_MANDARIN), WOMEN, WOMEN_IN_MANDARIN),
    (_name_pattern(CITIES_IN_MANDARIN), CITIES, CITIES_IN_MANDARIN),
)
FAMILY_PINYIN: Final = {part[0]: part[1:] for part in FAMILIES}
GIVEN_PINYIN: Final = {part[0]: part[1:] for part in GIVEN}
FULL_NAME: Final = re.compile(f"[{''.join(FAMILY_PINYIN)}](?=([{''.join(GIVEN_PINYIN)}]{{1,2}}))")


def other_names(pair: TextPair, random: np.random.Generator) -> TextPair | None:
    """Another name for every common one and for a Chinese one, where both sides have the same number of them.

    The new one is spelled alike on both sides, or in characters and in pinyin.
    """
    source, target = pair
    for pattern, others, transliterated in REPLACED:
        names = list(dict.fromkeys(pattern.findall(source)))
        if len(names) == 1 and len(set(pattern.findall(target))) == 1:
            other, translated = _new_name(source, others, transliterated, random)
            source, target = pattern.sub(other, source), _elided(pattern.sub(translated, target), translated)
    if source == pair[0] and (chinese := _chinese_name_in(pair)):
        in_mandarin = (*MEN_IN_MANDARIN, *WOMEN_IN_MANDARIN)
        other, translated = _new_name(source, (*MEN, *WOMEN), in_mandarin, random)
        source, target = source.replace(chinese[0], other), target.replace(chinese[1], translated)
    return (source, target) if source != pair[0] else None


def _new_name(
    source: str, others: Sequence[str], transliterated: Sequence[str], random: np.random.Generator
) -> tuple[str, str]:
    """A name as it stands in the source and in the translation."""
    if HAN.search(source) and random.random() < TRANSLITERATED:
        latin, _, mandarin = str(random.choice(transliterated)).partition("/")
        return mandarin, latin
    if others is not CITIES and HAN.search(source) and random.random() < CHINESE:
        return chinese_name(random)
    surname = others is not CITIES and random.random() < SURNAMES
    name = " ".join(_one_name(others, random) for _ in range(1 + surname))
    return name, name


def _one_name(others: Sequence[str], random: np.random.Generator) -> str:
    """An invented name or one of the list."""
    return invented_name(random) if random.random() < INVENTED else str(random.choice(others))


def _chinese_name_in(pair: TextPair) -> tuple[str, str] | None:
    """The first Chinese name of a Mandarin sentence whose pinyin stands in the translation, and that pinyin."""
    for match in FULL_NAME.finditer(pair[0]):
        for given in (match[1], match[1][:1]):
            pinyin = f"{FAMILY_PINYIN[match[0]]} {''.join(GIVEN_PINYIN[c] for c in given).capitalize()}"
            if re.search(rf"\b{pinyin}\b", pair[1]):
                return match[0] + given, pinyin
    return None


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


def invented_name(random: np.random.Generator) -> str:
    """Two or three syllables that nobody is called, such as Dravimon."""
    first = str(random.choice(INITIALS))
    if random.random() >= VOWEL_FIRST:
        first = str(random.choice(ONSETS)) + str(random.choice(VOWELS))
    middles = "".join(str(random.choice(MIDDLES)) + str(random.choice(VOWELS)) for _ in range(random.integers(1, 3)))
    name = f"{first}{middles}{str(random.choice(ENDS)).strip('-')}"
    return _accented(name, random) if random.random() < ACCENTED else name


def _accented(name: str, random: np.random.Generator) -> str:
    """The name with an accent on one of its letters, but not on the first, which decides about elision."""
    at = int(random.choice([i for i, letter in enumerate(name) if i and letter in ACCENTS]))
    return name[:at] + str(random.choice(list(ACCENTS[name[at]]))) + name[at + 1 :]
