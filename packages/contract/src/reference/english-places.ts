/*
 * English names of regions and cities that have another one in their own language. ISO 3166-2 has local names alone, and exchanges send
 * either. Only for the server: it is too long for the console.
 */

/** English names of regions by their country: the code within it, and one name or several, of which the first is shown. */
const REGION_NAMES: Readonly<Record<string, string>> = {
  AE: 'AJ Ajman; AZ Abu Dhabi; DU Dubai; FU Fujairah; RK Ras Al Khaimah; SH Sharjah; UQ Umm Al Quwain',
  AT: '2 Carinthia; 3 Lower Austria; 4 Upper Austria; 6 Styria; 7 Tyrol; 9 Vienna',
  BE: 'BRU Brussels/Brussels-Capital/Brussels Capital Region; VAN Antwerp; VBR Flemish Brabant; VLG Flanders/Flemish Region; VOV East Flanders; VWV West Flanders; WAL Wallonia/Walloon Region; WBR Walloon Brabant',
  BG: '22 Sofia City/Sofia-Capital; 23 Sofia Province',
  BY: 'BR Brest; HM Minsk City; HO Gomel/Homyel; HR Grodno/Hrodna; MA Mogilev/Mahilyow; MI Minsk; VI Vitebsk',
  CH: 'BL Basel-Country/Basel-Landschaft; BS Basel-City; GE Geneva; GR Grisons; LU Lucerne; SG St. Gallen; TI Ticino; ZH Zurich',
  CN: 'AH Anhui; BJ Beijing; CQ Chongqing; FJ Fujian; GD Guangdong; GS Gansu; GX Guangxi; GZ Guizhou; HA Henan; HB Hubei; HE Hebei; HI Hainan; HK Hong Kong; HL Heilongjiang; HN Hunan; JL Jilin; JS Jiangsu; JX Jiangxi; LN Liaoning; MO Macao/Macau; NM Inner Mongolia; NX Ningxia; QH Qinghai; SC Sichuan; SD Shandong; SH Shanghai; SN Shaanxi; SX Shanxi; TJ Tianjin; XJ Xinjiang; XZ Tibet; YN Yunnan; ZJ Zhejiang',
  CY: '01 Nicosia; 02 Limassol; 03 Larnaca; 04 Famagusta; 05 Paphos; 06 Kyrenia',
  CZ: '10 Prague; 20 Central Bohemia/Central Bohemian Region; 31 South Bohemia/South Bohemian Region; 32 Plzen Region; 41 Karlovy Vary Region; 42 Usti nad Labem Region; 51 Liberec Region; 52 Hradec Kralove Region; 53 Pardubice Region; 63 Vysocina; 64 South Moravia/South Moravian Region; 71 Olomouc Region; 72 Zlin Region; 80 Moravia-Silesia/Moravian-Silesian Region',
  DE: 'BY Bavaria; HE Hesse; MV Mecklenburg-Western Pomerania; NI Lower Saxony; NW North Rhine-Westphalia; RP Rhineland-Palatinate; SN Saxony; ST Saxony-Anhalt; TH Thuringia',
  DK: '81 North Denmark; 82 Central Jutland/Central Denmark; 83 South Denmark/Southern Denmark; 84 Capital Region/Capital Region of Denmark; 85 Zealand',
  EG: 'ALX Alexandria; ASN Aswan; AST Asyut; BA Red Sea; BH Beheira; BNS Beni Suef; C Cairo; DK Dakahlia; DT Damietta; FYM Faiyum; GH Gharbia; GZ Giza; IS Ismailia; JS South Sinai; KB Qalyubia; KFS Kafr El Sheikh; KN Qena; LX Luxor; MN Minya; MNF Monufia; MT Matruh; PTS Port Said; SHG Sohag; SHR Sharqia; SIN North Sinai; SUZ Suez; WAD New Valley',
  ES: 'AN Andalusia; AR Aragon; AS Asturias; BI Biscay; CL Castile and León; CM Castile-La Mancha; CN Canary Islands; CT Catalonia; IB Balearic Islands; MC Region of Murcia; MD Community of Madrid; NC Navarre; PM Balearic Islands Province; PV Basque Country; SE Seville; VC Valencian Community; Z Zaragoza/Saragossa',
  FI: '01 Åland Islands; 02 South Karelia; 03 South Ostrobothnia; 04 South Savo; 06 Tavastia Proper; 07 Central Ostrobothnia; 08 Central Finland; 10 Lapland; 12 Ostrobothnia; 13 North Karelia; 14 North Ostrobothnia; 15 North Savo; 16 Päijänne Tavastia; 19 Southwest Finland',
  FR: '20R Corsica; 2A South Corsica; 2B Upper Corsica; 69M Lyon Metropolis; 973 French Guiana; 974 Reunion; BFC Burgundy-Franche-Comté; BRE Brittany; NAQ New Aquitaine; NC New Caledonia; NOR Normandy; PAC Provence-Alpes-Côte d’Azur; PDL Pays de la Loire; PF French Polynesia; TF French Southern Territories; WF Wallis and Futuna',
  GR: 'A Eastern Macedonia and Thrace; B Central Macedonia; C Western Macedonia; D Epirus; E Thessaly; F Ionian Islands; G Western Greece; H Central Greece; I Attica; J Peloponnese; K North Aegean; L South Aegean; M Crete; 69 Mount Athos',
  HR: '01 Zagreb County; 04 Karlovac County; 08 Primorje-Gorski Kotar; 13 Zadar County; 14 Osijek-Baranja; 15 Šibenik-Knin; 17 Split-Dalmatia; 18 Istria; 19 Dubrovnik-Neretva; 21 City of Zagreb/Zagreb',
  ID: 'BB Bangka Belitung Islands; JB West Java; JI East Java; JK Jakarta; JT Central Java; JW Java; KB West Kalimantan; KI East Kalimantan; KR Riau Islands; KS South Kalimantan; KT Central Kalimantan; KU North Kalimantan; MU North Maluku; NB West Nusa Tenggara; NT East Nusa Tenggara; PB West Papua; PD Southwest Papua; PE Highland Papua; PS South Papua; PT Central Papua; SA North Sulawesi; SB West Sumatra; SG Southeast Sulawesi; SM Sumatra; SN South Sulawesi; SR West Sulawesi; SS South Sumatra; ST Central Sulawesi; SU North Sumatra',
  IL: 'D Southern District; HA Haifa; JM Jerusalem; M Central District; Z Northern District',
  IT: '21 Piedmont; 23 Aosta Valley; 25 Lombardy; 32 Trentino-South Tyrol/Trentino-Alto Adige; 36 Friuli-Venezia Giulia; 52 Tuscany; 57 The Marches; 75 Apulia; 82 Sicily; 88 Sardinia; BZ South Tyrol/Bolzano; FI Florence; GE Genoa; MI Milan; MN Mantua; NA Naples; PD Padua; RM Rome; SR Syracuse; TO Turin; VE Venice',
  JP: '07 Fukushima; 09 Tochigi; 12 Chiba; 17 Ishikawa; 18 Fukui; 19 Yamanashi; 21 Gifu; 22 Shizuoka; 23 Aichi; 25 Shiga; 32 Shimane; 34 Hiroshima; 35 Yamaguchi; 36 Tokushima; 39 Kochi; 40 Fukuoka; 46 Kagoshima',
  KR: '11 Seoul; 26 Busan; 27 Daegu; 28 Incheon; 29 Gwangju; 30 Daejeon; 31 Ulsan; 41 Gyeonggi; 42 Gangwon; 43 North Chungcheong; 44 South Chungcheong; 45 North Jeolla; 46 South Jeolla; 47 North Gyeongsang; 48 South Gyeongsang; 49 Jeju',
  KW: 'AH Al Ahmadi; JA Al Jahra; KU Kuwait City/Al Asimah',
  KZ: '11 Akmola; 15 Aktobe; 23 Atyrau; 27 West Kazakhstan; 31 Jambyl; 33 Jetisu; 35 Karaganda; 39 Kostanay; 43 Kyzylorda; 47 Mangystau; 55 Pavlodar Region; 59 North Kazakhstan; 61 Turkistan; 63 East Kazakhstan',
  MX: 'CMX Mexico City; MEX State of Mexico',
  MY: '04 Malacca; 07 Penang; 14 Kuala Lumpur; 15 Labuan; 16 Putrajaya',
  NL: 'FR Friesland; NB North Brabant; NH North Holland; ZE Zeeland; ZH South Holland',
  PL: '02 Lower Silesia; 04 Kuyavia-Pomerania; 06 Lublin; 08 Lubusz; 10 Lodz; 12 Lesser Poland; 14 Masovia/Mazovia; 16 Opole; 18 Subcarpathia; 20 Podlasie; 22 Pomerania; 24 Silesia; 26 Holy Cross/Swietokrzyskie; 28 Warmia-Masuria; 30 Greater Poland; 32 West Pomerania',
  PT: '11 Lisbon; 20 Azores; 30 Madeira',
  QA: 'DA Doha; KH Al Khor; MS Al Shamal; RA Al Rayyan; WA Al Wakrah',
  RO: 'B Bucharest',
  RS: '00 Belgrade',
  RU: 'AD Adygea; AL Altai Republic; ALT Altai Krai; AMU Amur; ARK Arkhangelsk; AST Astrakhan; BA Bashkortostan; BEL Belgorod; BRY Bryansk; BU Buryatia; CE Chechnya; CHE Chelyabinsk; CHU Chukotka; CU Chuvashia; DA Dagestan; IN Ingushetia; IRK Irkutsk; IVA Ivanovo; KAM Kamchatka; KB Kabardino-Balkaria; KC Karachay-Cherkessia; KDA Krasnodar; KEM Kemerovo; KGD Kaliningrad; KGN Kurgan; KHA Khabarovsk; KHM Khanty-Mansi; KIR Kirov; KK Khakassia; KL Kalmykia; KLU Kaluga; KO Komi; KOS Kostroma; KR Karelia; KRS Kursk; KYA Krasnoyarsk; LEN Leningrad Oblast; LIP Lipetsk; MAG Magadan; ME Mari El; MO Mordovia; MOS Moscow Oblast; MOW Moscow; MUR Murmansk; NEN Nenets; NGR Novgorod; NIZ Nizhny Novgorod; NVS Novosibirsk; OMS Omsk; ORE Orenburg; ORL Oryol; PER Perm; PNZ Penza; PRI Primorye; PSK Pskov; ROS Rostov; RYA Ryazan; SA Sakha/Yakutia; SAK Sakhalin; SAM Samara; SAR Saratov; SE North Ossetia; SMO Smolensk; SPE St. Petersburg; STA Stavropol; SVE Sverdlovsk; TA Tatarstan; TAM Tambov; TOM Tomsk; TUL Tula; TVE Tver; TY Tuva; TYU Tyumen; UD Udmurtia; ULY Ulyanovsk; VGG Volgograd; VLA Vladimir; VLG Vologda; VOR Voronezh; YAN Yamalo-Nenets; YAR Yaroslavl; YEV Jewish Autonomous Oblast; ZAB Zabaykalsky',
  SA: '01 Riyadh; 02 Mecca/Makkah; 03 Medina/Madinah; 04 Eastern Province; 05 Qassim; 06 Hail; 07 Tabuk; 08 Northern Borders; 09 Jazan; 11 Al Bahah; 12 Al Jawf; 14 Asir',
  SE: 'AB Stockholm/Stockholm County; AC Västerbotten; BD Norrbotten; C Uppsala; D Södermanland; E Östergötland; F Jönköping; G Kronoberg; H Kalmar; I Gotland; K Blekinge; M Scania/Skåne; N Halland; O Västra Götaland; S Värmland; T Örebro; U Västmanland; W Dalarna; X Gävleborg; Y Västernorrland; Z Jämtland',
  SK: 'BC Banská Bystrica; BL Bratislava; KI Košice; NI Nitra; PV Prešov; TA Trnava; TC Trenčín; ZI Žilina',
  TH: '10 Bangkok; 14 Ayutthaya; S Pattaya',
  TR: '34 Istanbul; 35 Izmir',
  UA: '05 Vinnytsia; 07 Volyn; 09 Luhansk; 12 Dnipropetrovsk; 14 Donetsk; 18 Zhytomyr; 21 Zakarpattia; 23 Zaporizhzhia; 26 Ivano-Frankivsk; 30 Kyiv/Kiev/Kyiv City; 32 Kyiv Oblast; 35 Kirovohrad; 43 Crimea; 46 Lviv; 48 Mykolaiv; 51 Odesa/Odessa; 53 Poltava; 56 Rivne; 59 Sumy; 61 Ternopil; 63 Kharkiv; 65 Kherson; 68 Khmelnytskyi; 71 Cherkasy; 74 Chernihiv; 77 Chernivtsi',
  UZ: 'AN Andijan; BU Bukhara; FA Fergana; JI Jizzakh; NW Navoi; QA Kashkadarya; QR Karakalpakstan; SA Samarkand; SI Syrdarya; SU Surkhandarya; XO Khorezm',
};

/** English names of cities by their country, each before the names in other languages. */
const CITY_NAMES: Readonly<Record<string, string>> = {
  AE: 'Abu Dhabi/Abu Zaby; Dubai/Dubayy; Sharjah/Ash Shariqah',
  AT: 'Vienna/Wien',
  BE: 'Antwerp/Antwerpen/Anvers; Bruges/Brugge; Brussels/Bruxelles/Brussel; Ghent/Gent/Gand; Liège/Luik; Louvain/Leuven; Ostend/Oostende; Namur/Namen; Mons/Bergen',
  BG: 'Sofia/Sofiya',
  BY: 'Gomel/Homyel; Grodno/Hrodna; Mogilev/Mahilyow; Vitebsk/Vitsyebsk',
  CH: 'Basel/Bâle/Basle; Bern/Berne; Geneva/Genève/Genf; Lucerne/Luzern; St. Gallen/Sankt Gallen; Zurich/Zürich; Biel/Bienne',
  CY: 'Limassol/Lemesos; Nicosia/Lefkosia; Paphos/Pafos; Larnaca/Larnaka',
  CZ: 'Pilsen/Plzeň; Prague/Praha',
  DE: 'Brunswick/Braunschweig; Cologne/Köln; Dusseldorf/Düsseldorf/Duesseldorf; Frankfurt/Frankfurt am Main; Hanover/Hannover; Munich/München/Muenchen; Nuremberg/Nürnberg/Nuernberg; Saarbrucken/Saarbrücken/Saarbruecken',
  DK: 'Aarhus/Århus; Copenhagen/København/Kobenhavn',
  EG: 'Alexandria/Al Iskandariyah; Cairo/Al Qahirah; Giza/Al Jizah',
  ES: 'A Coruña/La Coruña/Corunna; Alicante/Alacant; Bilbao/Bilbo; Castellón de la Plana/Castelló de la Plana; Girona/Gerona; Lleida/Lérida; Palma/Palma de Mallorca; Pamplona/Iruña; San Sebastián/Donostia/Donostia-San Sebastián; Seville/Sevilla; Valencia/València; Vitoria-Gasteiz/Vitoria; Zaragoza/Saragossa',
  FI: 'Helsinki/Helsingfors; Turku/Åbo; Espoo/Esbo; Tampere/Tammerfors; Vantaa/Vanda',
  GR: 'Athens/Athina; Corfu/Kerkyra; Heraklion/Irakleio; Patras/Patra; Piraeus/Peiraias; Rhodes/Rodos; Thessaloniki/Salonica',
  HR: 'Dubrovnik/Ragusa; Rijeka/Fiume',
  IE: 'Dublin/Baile Átha Cliath',
  IL: 'Beersheba/Be’er Sheva; Haifa/Hefa; Jerusalem/Yerushalayim; Tel Aviv/Tel Aviv-Yafo',
  IN: 'Bengaluru/Bangalore; Chennai/Madras; Kochi/Cochin; Kolkata/Calcutta; Mumbai/Bombay; Mysuru/Mysore; Prayagraj/Allahabad; Pune/Poona; Gurugram/Gurgaon; Thiruvananthapuram/Trivandrum; Vadodara/Baroda; Varanasi/Benares',
  IT: 'Bolzano/Bozen; Florence/Firenze; Genoa/Genova; Mantua/Mantova; Milan/Milano; Naples/Napoli; Padua/Padova; Rome/Roma; Syracuse/Siracusa; Turin/Torino; Venice/Venezia',
  JP: 'Kobe/Kōbe; Kyoto/Kyōto; Osaka/Ōsaka; Tokyo/Tōkyō',
  KZ: 'Almaty/Alma-Ata; Astana/Nur-Sultan; Aktobe/Aqtöbe; Karaganda/Qaraghandy',
  LT: 'Kaunas/Kovno; Vilnius/Wilno',
  LU: 'Luxembourg/Luxemburg/Lëtzebuerg',
  LV: 'Riga/Rīga',
  MA: 'Casablanca/Dar el Beida; Fes/Fez/Fès; Marrakesh/Marrakech; Tangier/Tanger/Tangiers',
  MM: 'Yangon/Rangoon',
  MX: 'Mexico City/Ciudad de México/México D.F.',
  MY: 'George Town/Georgetown; Malacca/Melaka',
  NL: 'The Hague/Den Haag/’s-Gravenhage; ’s-Hertogenbosch/Den Bosch',
  PL: 'Gdansk/Danzig; Krakow/Kraków/Cracow; Lodz/Łódź; Poznan/Poznań/Posen; Szczecin/Stettin; Warsaw/Warszawa; Wroclaw/Wrocław/Breslau',
  PT: 'Lisbon/Lisboa; Porto/Oporto',
  RO: 'Bucharest/București',
  RS: 'Belgrade/Beograd',
  RU: 'Moscow/Moskva; St. Petersburg/Sankt-Peterburg; Nizhny Novgorod/Nizhniy Novgorod; Rostov-on-Don/Rostov-na-Donu; Yekaterinburg/Ekaterinburg',
  SA: 'Jeddah/Jiddah; Mecca/Makkah; Medina/Al Madinah/Madinah; Riyadh/Ar Riyad; Dammam/Ad Dammam',
  SE: 'Gothenburg/Göteborg',
  SY: 'Aleppo/Halab; Damascus/Dimashq',
  TH: 'Bangkok/Krung Thep/Krung Thep Maha Nakhon; Pattaya/Phatthaya',
  TR: 'Istanbul/İstanbul; Izmir/İzmir/Smyrna',
  UA: 'Kharkiv/Kharkov; Kyiv/Kiev; Lviv/Lvov; Odesa/Odessa; Dnipro/Dnipropetrovsk; Mykolaiv/Nikolaev; Zaporizhzhia/Zaporozhye',
  UZ: 'Tashkent/Toshkent; Samarkand/Samarqand; Bukhara/Buxoro',
  VN: 'Hanoi/Hà Nội; Ho Chi Minh City/Thành phố Hồ Chí Minh/Hồ Chí Minh/Saigon; Da Nang/Đà Nẵng; Haiphong/Hải Phòng',
};

const entriesOf = (text: string): string[] => text.split('; ');

/** English names of regions by their ISO 3166-2 code, where they differ from the local one; the first is shown. */
export const ENGLISH_REGIONS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(REGION_NAMES).flatMap(([country, text]) =>
    entriesOf(text).map((entry) => {
      const at = entry.indexOf(' ');
      return [`${country}-${entry.slice(0, at)}`, entry.slice(at + 1).split('/')] as const;
    }),
  ),
);

/** The names of cities that have several, by their country; the English one is the first. */
export const CITIES_WITH_NAMES: readonly { country: string; names: readonly string[] }[] = Object.entries(
  CITY_NAMES,
).flatMap(([country, text]) => entriesOf(text).map((entry) => ({ country, names: entry.split('/') })));
