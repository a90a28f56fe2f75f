/**
 * The 10,000 most common passwords of at least six characters, in lower case and in alphabetical order: from the frequency
 * lists of zxcvbn 4.4.2 (https://github.com/dropbox/zxcvbn, MIT licence, copyright 2012-2016 Dan Wheeler and Dropbox, Inc.).
 */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
!qaz2wsx %%passwo 0.0.0.000 0.0.000 000000 0000000000o 0000007 000000a 000001 000006 000007 000111 001100 007007
007700 007bond 01011900 01011910 01011950 01011960 01011961 01011970 01011971 01011972 01011973 01011974 01011975
01011976 01011977 01011978 01011979 01011980 01011981 01011982 01011983 01011984 01011985 01011986 01011987 01011988
01011989 01011990 01011991 01011992 01011993 01011994 01011995 01011999 01012000 01012001 01012010 01012011 010180
010203 01020304 0102030405 01021990 01031985 01031988 01031989 01041985 01041988 01061986 01061990 01071986 01081989
01091987 01091989 01121986 01121988 013579 01478520 014789 0192837465 02011971 02011975 02011980 02011981 02011982
02011983 02011984 02011985 02011986 02011987 02011988 02011989 02021971 02021973 02021976 02021979 02021981 02021982
02021983 02021984 02021985 02021986 02021987 02021988 02021989 02021990 02031970 02031973 02031974 02031975 02031977
02031978 02031979 02031980 02031981 02031982 02031984 02031985 02031986 02031987 02031988 02031989 02041972 02041973
02041974 02041975 02041976 02041977 02041978 02041979 02041980 02041981 02041982 02041983 02041984 02041985 02041986
02041987 02041988 02041989 02051970 02051972 02051973 02051975 02051976 02051977 02051978 02051980 02051981 02051982
02051983 02051984 02051985 02051986 02051987 02051988 02051989 02061971 02061972 02061974 02061976 02061977 02061980
02061982 02061983 02061984 02061985 02061986 02061987 02061988 02061989 02071971 02071975 02071976 02071978 02071979
02071980 02071981 02071982 02071983 02071984 02071986 02071987 02071988 02071989 02081970 02081973 02081974 02081976
02081977 02081980 02081982 02081983 02081984 02081985 02081986 02081987 02081988 02081989 02091971 02091973 02091975
02091976 02091977 02091980 02091981 02091983 02091984 02091985 02091986 02091987 02091989 02101973 02101976 02101977
02101979 02101981 02101983 02101984 02101985 02101986 02101987 02101988 02101989 03031986 03041986 03041991 03082006
04041988 04041991 05051985 05051987 05051989 06061986 063dyjuy 07071977 07071987 07091990 08031985 08031986 08051990
08081988 08121986 08154711 085tzzqi 088011 09051945 0987654321q 0o9i8u 0o9i8u7y 0wnsyo0 100000 1000000 100001 10011986
10011990 100200300 10031988 100500 10051987 10071987 10101986 10101990 101091m 102030 10203040 1020304050 102938
10293847 1029384756 10sne1 11001001 110442 11051987 11051990 11061985 11081989 111000 111111 11111111 1111111111zz
111111a 111111q 11111a 11111q 11112222 1111aaaa 1111qqqq 11121314 11121986 111222 11122233 111222333 111333 111555
111777 111aaa 111qqq 112211 112233 1122334 11223344 1122334455 112233445566 112233a 112233q 112358 11235813 1123581321
114477 115599 12011987 12021988 12031985 12031987 12051988 120676 1212121 121212q 12121985 12121990 121314 12131415
1213141516 122333 1223334444 12233445 123000 1230123 123098 123123 1231231 12312312 123123123q 1231234 123123a 123123e
123123q 123123qwe 123123z 1232323q 123258 123321 1233210 1233211 12332112 123321123 123321456 123321a 123321q
123321qwe 123321z 123333 123369 12340987 123412 1234123 1234321 1234432 12344321 12344321q 123450 1234509876 123451
12345123 123454 12345432 123454321 123455 1234554321 123456 1234560 1234561 12345612 123456123 12345654321 1234566
123456654321 1234567 12345677 12345678 123456789 1234567890 12345678900 1234567890a 1234567890q 1234567890z 1234567891
12345678910 123456789123 1234567899 123456789987654321 123456789a 123456789abc 123456789d 123456789k 123456789l
123456789m 123456789n 123456789o 123456789p 123456789q 123456789qaz 123456789qwe 123456789qwerty 123456789r 123456789s
123456789v 123456789w 123456789z 12345678a 12345678q 12345679 1234567a 1234567aa 1234567q 1234567u 1234567z 1234568
12345687 1234569 123456987 123456a 123456aa 123456ab 123456abc 123456as 123456asd 123456b 123456c 123456d 123456f
123456g 123456h 123456j 123456k 123456l 123456m 123456n 123456o 123456p 123456q 123456qaz 123456qq 123456qqq 123456qw
123456qwe 123456qwerty 123456r 123456ru 123456s 123456t 123456v 123456w 123456y 123456z 123456zxc 123457 123458 123459
12345a 12345abc 12345asd 12345c 12345d 12345i 12345k 12345m 12345q 12345qaz 12345qw 12345qwe 12345qwer 12345qwert
12345qwerty 12345r 12345s 12345t 12345v 12345w 12345z 123465 12348765 12349876 1234abc 1234abcd 1234asdf 1234kekc
1234qaz 1234qw 1234qwe 1234qwer 1234qwerty 1234rewq 1234zxcv 123567 1235789 1235813 123581321 123654 12365478
123654789 123666 123698 1236987 12369874 123698741 123698745 123789 123789456 1237895 123890 123987 123aaa 123abc
123asd 123bbb 123ewq 123hfjdk147 123masha 123mudar 123q123 123qaz 123qaz123 123qq123 123qwe 123qwe123 123qwe456
123qweas 123qweasd 123qweasdzxc 123qwer 123qwert 123qwerty 123rrr 123sas 123xyz 123zxc 124038 124356 124578 124816
128500 12locked 12qw12 12qw12qw 12qw34er 12qwas 12qwasz 12qwaszx 12qwerty 12s3t4p55 13021990 13031987 13041987
13041988 13061986 13121985 131313 131415 132435 13243546 132456 13245768 132465 134679 134679852 135246 135531
13572468 13576479 13579- 135790 1357908642 135791 1357911 1357911q 13579246 135792468 1357924680 135798642 135799
1366613 14021985 14021986 14061991 14111986 141516 141627 142536 142857 145236 145632 147258 14725836 147258369 147369
1475369 1475963 147741 147852 1478520 14785236 147852369 147896 1478963 14789632 147896321 147896325 147963 14881488
15011987 15021985 15051981 15051990 150781 15101986 151nxjmt 153624 153759 15426378 159263 159357 159357a 159632
1596321 159753 159753123 159753456 159753852 159753a 159852 1598753 159875321 159951 16051987 16051989 16121987 162534
17011987 17051988 17061988 17171717aa 1725782 172839 18011987 18061990 18091985 18121812 18273645 18436572 19061987
19101987 1911a1 192837 19283746 192837465 19411945 196969 1a2a3a 1a2a3a4a 1a2a3a4a5a 1a2b3c 1a2b3c4d 1a2b3c4d5e 1a2s3d
1a2s3d4f 1a2s3d4f5g 1aaaaa 1asshole 1basebal 1batman 1bigdog 1bitch 1bubba 1buster 1chris 1dallas 1diamond 1dragon
1footbal 1fuckme 1george 1golfer 1harley 1hxboqg2 1jennife 1jordan 1killer 1letmein 1lover 1master 1michael 1million
1money 1monkey 1mustang 1nicole 1passwor 1password 1pussy 1q2q3q 1q2q3q4q 1q2q3q4q5q 1q2w3e 1q2w3e4r 1q2w3e4r5
1q2w3e4r5t 1q2w3e4r5t6y 1qa2ws 1qa2ws3ed 1qay2wsx 1qaz!qaz 1qaz2ws 1qaz2wsx 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qazse4
1qazxc 1qazxsw 1qazxsw2 1qazxsw23edc 1qazzaq1 1qw23e 1qw23er4 1qwert 1qwerty 1ranger 1shadow 1x2zkg8w 1z2x3c 1z2x3c4v
1z2x3c4v5b 200000 20031987 20051988 20061988 20091988 20091991 20111986 20spanks 21011989 21031987 21031988 21031990
21051988 21051991 21101986 21125150 2112rush 212223 2128506 214365 22011988 22021986 22021989 22031984 22041987
22041988 22061941 22071986 222333 222444 222555 222777 223322 223344 22334455 2234562 224466 22446688 224488 225588
2300mj 23021986 23041987 23176djivanfros 232425 233223 235689 235711 23skidoo 24011985 24061986 24111989 243462536
246810 24681012 246813579 25031987 25041988 25081988 25091987 25121987 253634 258000 25800852 25802580 258369 258456
258741 258852 258963 26031988 26061987 26exkp 27061988 271828 27731828 28011987 28021990 28021992 28041987 29011985
29051989 29071983 2cool4u 2fast4u 2hot4u 2sweet 2w3e4r 2wsx3edc 2wsxcde3 2wsxzaq1 3000gt 30031988 30041986 30051985
31011987 314159 3141592 31415926 3151020 315475 315920 321123 321456 321654 32165498 321654987 3216732167 321678
322223 3234412 326159487 3263827 332211 333221 333222 333444 333555 333666 333666999 333777 333999 334455 335533
335577 336699 33rjhjds 34523452 3465xxx 357159 357753 357951 357mag 362436 362514 369258 369258147 369852 369852147
3698741 369963 380zliki 3984240 3e2w1q 3edc4rfv 3edcvfr4 3ip76k2 3rjs1la7qe 3x7pxr 415263 420000 420247 420420 426hemi
427900 43046721 44332211 444555 444777 445566 44magnum 451236 456123 456258 456321 456654 456852 456987 45m2do5bs
4637324 479373 48151623 4815162342 4r3e2w1q 4rfv3edc 4rfv5tgb 4runner 4snz9g 500000 50cent 50spanks 515000 515051
515253 5201314 524645 554455 555000 5550666 5551212 555222 555333 555444 555555a 555556 55555a 555666 555777 555888
556677 55bgates 55chevy 5641110 567765 57chevy 5hsu75kpot 5tgb6yhn 5wr2i7h8 615243 622521 635241 651550 654123 654321
654321a 654321q 655321 665544 6661313 66613666 666333 666555 666666 666666a 666777 666999 6751520 67camaro 68camaro
69213124 696969 699669 69camaro 6uldv8 73501505 74108520 741236 7412369 74123698 741258 741258963 7415963 741852
74185296 741852963 741963 74227422 747400 748159263 748596 753159 753357 753951 7555545 7753191 777000 777111 777333
777444 777555 777666 7777777 7777777a 777888 777888999 7779311 777999 777vlad 778899 784512 787898 789123 789123456
789456 78945612 789456123 7894561230 7895123 7896321 78963214 789632145 789654 789654123 789852 789987 794613 7grout
7hrdnw23 7uftyx 7ugd5hip2j 81fukkc 823762 837519 852258 852456 852654 852963 8675309 875421 885522 888999 890098890
89015173454 895623 89600506779 8balls 8inches 8j4ye3uz 8phrowz622 8phrowz624 902100 906090 9111961 911911 911turbo
918273 918273645 9293709b13 9379992 951159 951357 951753 9562876 963258 963258741 963369 963741 963852 96385274
963852741 968574 976431 986532 987123 987321 9874123 987412365 987456 987456321 987654321a 987654321q 987789 996633
99762000 998877 999000 999111 999666 999777 999888 a11111 a111111 a123123 a123321 a12345 a123456 a1234567 a12345678
a123456789 a123456a a1a2a3 a1a2a3a4 a1a2a3a4a5 a1b2c3 a1b2c3d4 a1b2c3d4e5 a1s2d3 a1s2d3f4 a1s2d3f4g5 a4tech aa1234
aa123456 aaa111 aaa123 aaaa1111 aaaaa1 aaaaaa1 aaaaaaa1 aaabbb aaasss aabbcc aaliyah aardvark aaron1 aassdd ab1234
abacab abacus abbey1 abc123 abc1234 abc12345 abc123456 abc321 abcd123 abcd1234 abcdefg1 abcxyz abdulla aberdeen
abgrtyu abigail1 abnormal abracadabra abrakadabra abraxas abrupt absolut abudfv acacia acapulco access access1
access14 access2 access99 accord account1 ace123 aceman acetate achilles achtung acidburn acmilan action acura1 adam12
adam25 adams1 adgjmp adgjmptw adidas adidas1 admin1 admin123 admin18533362 adonai adonis adrenalin adrian1 adriano
adrock advent adventur aerosmit aerosmith aeynbr aezakmi afrika afrodita agassi agent007 aggies agnieszka agyvorc
aikido aikman airborn airborne airbus airforce airforce1 airman airplane airwolf ak1234 akasha akatsuki al9agd alabama
alabama1 aladdin aladin alaska alatam albany albatros albert1 albion alcatel alcatraz alchemy alejandr aleksa
aleksander aleksandr aleksandra aleksei aleksey alenka alessand alessandro alessia alessio alex01 alex11 alex12
alex123 alex1234 alex22 alexan alexande alexander1 alexandr alexandre alexandru alexei alexey alexis alexis1 alexus
alexxx alfalfa alfarome alfaromeo alfons algernon alibaba alice1 aliens aligator alinka alisher alkaline all4me
all4one allan1 allblack allday allegro allen1 alleycat alligator allison1 allmine allnight allsop allstar allstars
allstate allure aloha1 alpha1 alpha12 alpha123 alpha7 alphabet alphaman alpina alpine altair alterego althor altima
altoids alucard amadeus amanda1 amarillo amateur amateurs amatory amature amazon amber1 ambers ambrosia amelie americ
america america1 amerika ameteur amethyst ametuer amidala amigos amonra amorcit amoremio amores amormi amstel amsterda
amsterdam anaconda anakin anakonda analsex ananas ananda anarchy anastasi anastasiya anatoliy anderso andover andre1
andrea1 andreas1 andreev andrei andrej andrew1 andrew12 andrey andromed andromeda andros anduril andyod22 anechka
anfield anfisa angel1 angel12 angel123 angel13 angel2 angel666 angel7 angela1 angeleye angelit angelito angelofwar
angelok angels angels1 angelus angie1 angus1 anhyeuem animal animal1 anita1 anjali ankara anklet anna123 anna2614
annemari annie1 antares anteater antelope anthon anthony1 anthony2 anthony7 anthrax antigone anton1 anton123 antoni
antonio1 antonius antonov antoshka anubis aol123 aol999 aolsucks apache apathy apelsin apollo apollo1 apollo11
apollo13 apple1 apple123 apple2 applepie apples apples1 apricot april1 aprilia apteka aptiva aquafina aqualung aquaman
aquarius aquila aqwzsx arabella aragorn aramis ararat arcadia arcane arcangel archange archangel archery architec
archon area51 argent argentin argonaut argyle arhangel ariadne arioch arisha arizona arizona1 armada armageddon
armagedon armani armstron arnaud arrakis arrow1 arrowhea arrows arschloch arsehole arsena arsenal arsenal1 arsenalfc
arslan artemis artemka arthur1 artofwar as1234 as123456 asasin asd123 asd1234 asd12345 asd123asd asd222 asd456 asdasd
asdasd123 asdasdas asddsa asdewq asdf12 asdf123 asdf1234 asdfasdf asdffdsa asdfg1 asdfg123 asdfg12345 asdfgh asdfgh01
asdfgh1 asdfghj asdfghjk asdfghjkl asdfjk asdfjkl asdfjkl; asdfqwer asdfzxcv asdqwe asdqwe123 asdzxc asecret asgard
ashish ashley1 ashley12 asians asimov asmodeus aspire aspirine ass123 assasin assassin assassins assclown asscock
assface assfuck asshol asshole asshole1 assholes asslick asslover assman assmunch asssss asswipe assword astalavista
asterios asterix asthma astonvil astonvilla astoria astra1 astral astro1 astroboy astros atdhfkm athlon athome atlanta
atlanta1 atlantis atlas1 atomic atreides atticus attila auburn audi100 audi80 audia4 audia6 audis4 auditt auggie
august1 augustin augusto auralo aurelie aurelius aussie austin austin1 austin31 austin316 australi autocad avalanch
avalanche avalon avangard avanti avatar avenger avgust aviator avrora awesome awesome1 awnyce axeman ayanami ayrton
azamat azazel azerty azerty123 azertyui azertyuiop azrael azsxdc azsxdcfv azsxdcfvgb azteca aztecs b12345 b123456
babemagn babemagnet baberuth baboon babushka baby123 babybear babyblue babyboy babycake babycakes babydoll babyface
babygir babygirl babygurl babylon babylon5 babylove bacardi bacchus backbone backdoor backspac badabing badass badboy
badboy1 badboys baddest baddog badger badger1 badgers badgirl badguy badkarma badlands badman badnaamhere bagels
bagger baggies baggins baggio bagira bagpipes bagpuss bahamut bailey1 bajingan baker1 bakers balboa balder baldrick
baldur baller ballgag ballin balloon balloons balls1 ballsack balrog baltika baltimor bambam bambino bamboo banaan
banana banana1 bananas banane banderas bandit bandit1 banger bangkok banker banner banshee bantam banzai baphomet
baraban baracuda baraka barakuda barbados barbara1 barbie barcelon barcelona bareback barefeet barefoot barfly
baritone barkley barley barnaby barney barney1 barnie baron1 baronn barracud barracuda barrage barret barry1 barselona
barsik bartek bartman bartok basebal basebal1 baseball baseball1 basher basket basketba basketbal basser basset bassin
bassman bassoon bastard bastard1 bastet bastos batgirl batigol batman batman1 batman12 bauhaus bayern baylee bayliner
baywatch bazooka bball1 bbbbb1 bbbbbb1 bbking bcfields bdfyjd bdfyjdf beach1 beachbum beaches beagle beaker beamer
beanbag beaner beanie bear12 bearcat bearcats beardog bears1 beast1 beastie beater beatle beatles beatles1 beautifu
beauty beauty1 beaver beavis beavis1 becket beckham beckham7 becky1 becool bedlam bedrock beebop beefcake beeker
beeline beemer beerman beerme beethove beetle beezer begemot begood behappy behemoth belair belinea belize belkin
bella1 bellaco bellagio belle1 bellevue belmont beluga ben123 bendover benessere benfica bengals benjami bennett1
benny1 beowulf beretta bereza bergkamp berkut berlin bernard1 bernhard berserk besiktas bestbuy bethan betty1 bettyboo
bettyboop beyonce bhbcrf bhbirf bhbyrf bhjxrf biatch biceps bicycle big123 bigass bigbad bigballs bigbang bigbear
bigben bigbird bigblack bigblock bigblue bigbob bigboi bigboobs bigbooty bigboss bigboy bigboy1 bigbucks bigbutt
bigbutts bigcat bigcock bigdad bigdaddy bigdave bigdawg bigdee bigdick bigdick1 bigdicks bigdog bigdog1 bigdogg
bigfish bigfoot bigfoot1 biggdogg biggie biggirl biggles biggun bigguns bigguy bighead bigjim bigjoe bigjohn bigmac
bigmama bigman bigmike bigmoney bignasty bignuts bigone bigones bigpapa bigpenis bigpimp bigpimpi bigpoppa bigpun
bigpussy bigred bigred1 bigsexy bigshot bigshow bigstick bigtime bigtit bigtits bigtoe bigtruck biguns bigworm biker1
bikers bikini bilbo1 billabon billabong billiard billows billy1 billyb billybob billyboy billys bimmer bingo1 bingos
binladen biohazard bionic bionicle bird33 birddog birdie birdie1 birdman birthday1 birthday4 biscuit bisexual bismarck
bismark bismilla bismillah bitch1 bitchass bitches bitchs bitchy biteme biteme1 bizkit bizzare blabla black1 black123
black2 blackass blackbel blackbelt blackberry blackbir blackbird blackboy blackcat blackcoc blackcock blackdog
blackhaw blackhawk blackice blackie blackie1 blackjac blackjack blacklab blackops blackout blacks blacksun blacky
blade1 blade2 bladerunner blades blahblah blaise blake1 blanked blaster blaster1 blastoff blaze1 blazer blazers blazin
bleach blender blessed blessed1 blessing blindax blingbling blink18 blink182 blinky blizzard blobby blonde blondes
blondi blondie blondie1 blondinka blonds blondy bloods bloomin bloopers blower blowfish blowjob blowjobs blowme
blowme1 blubber blue11 blue12 blue123 blue1234 blue21 blue22 blue23 blue32 blue33 blue42 blue44 blue45 blue69 blue99
blueball bluebear bluebell blueberr bluebird blueboy bluedevi bluedog blueeyes bluefish bluegill bluejay bluejays
blueline blueman bluemoon bluenose bluenote blues1 bluesky bluesman bluestar blunted blunts bmw2002 bmw318 bmw320
bmw325 bmw525 boarder boater boating bob123 bobafett bobber bobby1 bobbys bobcat bobcats bobdole bobdylan bobert
bobmarle bobmarley boeing bogart bogdan bogey1 boggie boggle bogota bohica boiler boingo bolero bolitas boliva bolivi
bollocks bollox bologna bombay bomber bombers bonanza bond007 bondage bondarenko bonefish bonehead boner1 boners
bones1 bones69 bonethug bonghit bonghits bonito bonjour bonjovi bonkers bonnie1 bonovox bonsai bonzai boobear boobed
boober boobie boobies booboo booboo1 boobs1 boogaloo booger booger1 boogers boogie boogie1 boohoo bookcase bookie
bookworm boomboom boomer boomer1 booper booster booter bootie booties bootleg boots1 bootsie bootsy booty1 bootys
booyah boozer bopper borabora bordeaux boricua boris1 boris123 boroda boromir borussia bosco1 boscoe01 boss302 bosshog
bossman bosstone boston boston1 boulder bounce bouncer bounty bowl300 bowler bowling bowtie bowwow boxcar boxers
boxing boxster boxter boytoy bp2002 br0d3r brabus bradley1 bramble brando brandon1 brandy brandy1 brasil brasilia
bravehea braveheart braves braves1 bravo1 brayden brazil brazzers breaker breast breasts breeze breezy bremen brenda1
brenden brent1 brentfor bretagne brian1 brian123 brianna1 brians bricks briefs brigada brighton bristol britney brodie
broker bronco bronco1 broncos broncos1 bronte broodwar brooklyn brother1 brown1 browndog browneye brownie browns
bruce1 brucelee bruins bruiser bruno1 bruno123 brutis brutus brutus1 bryan1 bubba1 bubba123 bubba2 bubba69 bubbaa
bubbadog bubbas bubble bubblegum bubbles bubbles1 bublik buceta bucker bucket buckeye buckeye1 buckeyes buckie
buckshot buckwhea budapest buddah buddha buddha1 buddie buddy1 buddy123 buddy2 buddyboy buddydog buddys budgie
budlight budlite budman budweise budweiser buffalo buffalo1 buffalos buffer buffet buffett buffy1 buffys bugatti
bugger bugman bugsbunn bugsbunny builder bukkake bukowski bulldawg bulldo bulldog bulldog1 bulldog2 bulldogs bullet
bullfrog bullit bulls1 bulls23 bullseye bullshit bullwink bumble bumblebe bummer bumper bungalow bungee bunghole
bungie bungle bunnie bunnies bunny1 bunnys buratino burger burner burnout burrito bushed bushel bushido businessbabe
businka buster buster01 buster1 buster12 bustle butch1 butchie butchy butkus butter butter1 buttercu buttercup
butterfl butterfly buttfuck butthead butthole buttman buttons buttplug buttsex buzzard buzzer buzzsaw bynthytn byteme
c2h5oh c3por2d2 caballo cabbage cabernet cableguy caboose cabrio cabron cachorro cactus caddis cadence cadillac cadman
caesar cafc91 caitlin1 calamity calcio calgary calibra calico caliente californ caligula calimero callisto callme
callofduty callum calvary calvin1 calypso camaro camaro1 camaro69 camaross camaroz2 camber cambiami cambridg camden
came11 camel1 camelot camelot1 camels cameltoe camero camero1 cameron cameron1 camill camilo camino camper canada
canada1 canary cancer cancun candies candle candy1 candyass candyman candys canine cannabis cannibal cannonda canon1
canseco cantona cantona7 canuck canucks capa200 capcom capecod capetown capital1 capitals capoeira capone capricor
capricorn capslock captain captain1 car123 caracas carajo caralho caramba caramel caravan carcass cardinal cards1
care1839 carebear carefree carioca carling carlito carlitos carlos1 carmen1 carmex2 carnage carnival carol1 carolina
carpedie carpediem carpente carpet carrera carrot carrots carsten carter1 carthage cartman cartman1 cartoon cartoons
carwash casablan casablanca casanova caserta casey1 caseydog cashew cashflow cashmone cashmoney casino casper casper1
cassandr cassie cassie1 cassius caster cat123 catalin catch22 catcher catdaddy catdog catfight catfish catfish1
catfood catherin cathy1 catlover catman catnip catter catwoman cavalier caveman cayenne cayman cazzone cbr600 cbr600rr
cbr900 cbr900rr ccbill cccccc1 cdtnbr cdtnkfyf ceasar ceaser ceckbr celeron celica celine celtic celticfc celtics
cement centrino cerber cerberus cerebus cerveza cesare cessna cevthrb cezer121 cfhfnjd cfiekz cfitymrf cfvceyu cgfhnfr
chacal chachi chainsaw challeng champ1 champagn champion champs chance1 changeme chango chaos1 chappy characte charger
chargers charisma charle charles1 charles2 charli charlie charlie1 charlie123 charlie2 charlie3 charlie9 charlies
charlott charlton charly charmed charon chase1 chaser chasey chatte cheater checker checkers checkit checkmat cheddar
cheeba cheech cheeks cheeky cheerleaers cheers cheese cheese1 cheetah chelle chelse chelsea chelsea1 chemist chemistr
cherokee cherries cherry cherry1 cheshire chessie cheste chester chester1 chesty cheval chevelle chevrole chevrolet
chevy1 chevy2 chevy454 chevyman chevys chevys10 chevyz71 chewbacc chewbacca chewey chewie chewy1 cheyanne cheyenne
chiara chicago chicago1 chicas chicco chichi chicke chicken chicken1 chickens chickenwing101 chicks chico1 chief1
chiefs chilli chillin chillout chilly chimera china1 chingon chinook chipmunk chipper chipper1 chippy chisox chitown
chivas chloe1 chobits chocha chocobo chocolat chocolate1 chooch choochoo chopin chopper chopper1 choppers chowder
chris1 chris12 chris123 chris2 chrisb chrisbln chrism chriss chrissy chrissy1 christ christ1 christia christin
christma christo christop christophe christy1 chrome chronic chrono chronos chrysler chuang chubby chucha chuck1
chuckie chuckles chucky chunky churchil ciccio cicero cigars cimbom cinder cinders cindy1 cinnamon cipher cirrus
cisco1 citadel citibank citroen citron citrus civicsi civilwar cjkysirj cjkywt cjytxrf ckfdbr clancy clapton clarinet
clarion classic classic1 classics claudi claudia1 claymore clemson cleopatr cleric clevelan cliffy climax climber
clinton1 clipper clippers clitlick clitoris cloggy close-up closeup cloud9 clouds cloudy clover clovis clowns clubber
clutch clyde1 cneltyn cnfcbr cnfkrth cnfybckfd cnhtktw cnjvfnjkju cntgfy cnthdf coach1 cobain cobalt cobra1 cobra427
cobras cobraya cocacol cocacola cocaine cochise cocker cocksuck cocksucker coconut codeblue codered coffee coffee1
coffees cogito cohiba coldbeer coldplay colgate collecti colleen1 college1 collie colnago colombi colombia colorado
colors colossus colt45 coltrane columbo comanche comcast comein comeon comets comicbook comicbookdb commande commando
commodor compaq compaq1 compass compusa compute computer computer1 conan1 concord concorde concrete condom condor
conejo config conker conman connect connect1 connie1 connor consumer contortionist contour contra control1 coochie
cooker cookie cookie1 cookies cool12 cool123 coolbean coolboy coolcat cooldude cooler coolgirl coolguy coolhand coolio
coolman coolness coolone cooper1 coopers cooter copenhag copper copper1 corazo corgan corleone corndog cornhole
cornholi corolla corona corrado corsair corsica cortina corvet07 corvett corvette cosmic cosmo1 cosmos costaric
cosworth cougar cougars counterstrike country1 coventry cowboy cowboy1 cowboys cowboys1 cowboyup cowgirl cowman coyote
coyotes crabby cracker crafty craig1 cramps crappie crash1 craving crayon crazy1 crazy8 crazybab crazyman creampie
creamy creatine creativ creative creeper creepers crescent cretin crevice crfprf cricket cricket1 crimson crimson1
crispy cristia cristiano critter crjhgbjy crocodil cronic crowbar cruise cruiser crumbs crunch crunchy crusader
crusher crusty crybaby crysis crystal1 cstrike csyekz csyjxtr ctdfcnjgjkm cthtuf cthulhu cthutq ctrhtn cubano cubbies
cubswin cucumber cuddles cueball cuervo culinary cum4me cumeater cumload cummer cumming cumonme cumshot cumslut
cuntlick cupcake curious custard custom cutiepie cuties cutlass cutter cvbhyjd cvbhyjdf cvthnm cvzefh1gkc cxfcnkbdfz
cxfcnmt cyber1 cyberonline cybersex cyborg cyclone cyclones cyclops cygnus cygnusx1 cynthia1 cypher cypress cyrano
d12345 d123456 dabears dabomb dabulls daddy1 daddy123 daddyo daddys daedalus daemon daewoo daffodil dagestan dagger
dagobert dagwood daisy1 daisydog daisymae dakine dakota dakota1 dale03 dalejr dalejr8 dallas dallas1 dallas22 dalshe
damage11 damager dammit damnit dan123 dance1 dancer dancer1 dandfa danger dangerou daniel1 daniel12 daniela1 danielit
daniil danila danilka danman danmark danni1 danny1 dannyboy dante1 dantes danzig dapper daredevi daredevil darian
darina darkange darkangel darkelf darkknight darklord darkman darkmoon darknes darkness darkone darkside darkstar
darkwing darthvad darthvader dasani dashka datsun dave123 davecole david1 david12 david123 david2 davidb davidc davidd
davide davidj davidm davidoff davids davinci davis1 dawggy dawgs1 daydream daytek daytona dazzle dbnfkbq dbnfkbr
dbnfkz dbrecz dbrf134 dbrnjh dbrnjhbz ddddd1 dddddd1 deadhead deadman deadpool deadspin death1 death123 death666
deathnote deathrow debbie1 deborah1 decatur decimal declan deejay deepak deepblue deepthro deepthroat deerhunt
deeznuts deeznutz default defcon defender defiant deftones deicide deimos dejavu delboy delete delfin delight delorean
delphi delphin delpiero delsol delta1 deltas deluxe demon1 demon666 den123 denali deniro denis1 denis123 denisa
denise1 deniska dennis1 depeche derevo derparol derrick1 desert designer desire deskjet desktop desperad desperado
destin destiny destiny1 destroye detectiv detroit detroit1 deutsch deutschland devil1 devil666 devildog devilman
devilmaycry devils devils1 dewalt dexter dexter1 dfcbkbcf dfcbkbq dfghjc dfhdfhf dfkthbz dfkthf dfktynby dfktynbyf
dfvgbh dfytxrf dharma dhip6a dhjnvytyjub diablo diablo1 diablo2 dialog diamant diamante diamon diamond diamond1
diamonds diana1 diane1 diaper diceman dick69 dicker dickface dickhead dickie dickweed diddle didier diehard diesel
diesel1 dietcoke dieter digger diggler digimon digital digital1 dilbert dilbert1 dildos dilligaf dillweed dima123
dima1995 dima1996 dima55 dimarik dimasik dimebag dimitri dimples dinamo dinara dindom dinero dingbat dingdong dingo1
dinosaur dipper dipset dipshit dipstick direwolf dirtbag dirtbike dirty1 dirtydog disco1 discover discus disney
disney1 diver1 divers divine dixie1 django djdjxrf djkjlz dkflbckfd dkflbr dkflbvbh dkflbvbhjdbx dkflbvbhjdyf dmband
dmitrii dmitriy dmitry dnsadm dobber doberman doctor doctor1 dodge1 dodger dodgeram dodgers dodgers1 dodges dog123
dogbert dogbone dogboy dogcat dogface dogfart dogfish dogfood dogger dogggg doggie doggies doggone doggy1 doggydog
doggys doggystyle doghouse dogman dogmeat dogpound dogshit dogwood doitnow dokken doktor dolemite dollar dolly1 dolphi
dolphin dolphin1 dolphins domainlock2005 domenico domenow dominator domini dominic1 dominik dominika dominion dominiqu
domino dominus donald1 donjuan donkey donkey1 donna1 donner dontknow donuts doobie doodah doodie doodle doodles doofus
doogie dookie doomsday doorknob dortmund dotcom doubled douche dougal doughboy dougie douglas1 downhill dracula drag0n
dragon dragon01 dragon1 dragon11 dragon12 dragon123 dragon13 dragon22 dragon69 dragon7 dragon88 dragon99 dragonba
dragonball dragonballz dragonfl dragonfly dragons dragons1 dragonz dragoon dragrace dragster drakon draven dream1
dreamcas dreamcast dreamer dreamer1 dreamers dreams dresden drevil drifter driller drinker driver driver1 drizzt
drjynfrnt droopy dropdead dropkick drowssap drpepper drummer drummer1 drywall dshade dte4uw dthjxrf dthjybrf dtkjcbgtl
dtxyjcnm dtythf dublin ducati ducati99 duchess duckhunt duckie duckman ducksoup dude123 dudeman duffer duffman dumbass
dundee dungeon dunhill duracell durango duster dusty1 dustydog dutchess dutchman dvader dylan1 dynamite dynamo
dzxtckfd eagle1 eagle2 eagles eagles1 earnhard earthlin earthlink eastside eastwood easypay eatme1 eatme2 eatme69
eatmee eatmenow eatpussy eatshit ebony1 echo45 eclipse eclipse1 edcrfv eddie1 edinburg edthom eduard edward1 edwardss
eeeee1 eeyore egghead eggman eggplant egorka egorov egorova eight8 eightbal eightball einstein ejaculation ekaterina
ekmzyf elbereth elcamino eldiablo eldorado electra electric electro electron elefant elektra element element1 elena1
elephant eleven11 elgato elisabet elite1 elite11 elizabet elizaveta ellen1 elodie elohim elpaso elrond eltoro elvira26
elvis1 elvis123 elvisp elway7 emachine emachines embalmer emerald emily1 eminem emmitt22 empire empire1 empires encore
energize enfield enforcer engage engineer england1 enigma enkeli enrico enter1 enter123 enterme enternow enterpri
enterprise entropy envision epaulson epsilon equinox eragon eraser erasmus erasure erection erfolg erica1 ericsson
erotic erotica escalade escher escorpio escort eskimo espana espresso esprit esquire essendon estrell eternal eternity
ethan1 ethernet etnies euclid euphoria eureka europa evanescence evangeli evangelion evenflow everest evergree
everlast everques everquest everton everton1 evgenii evgeniy evgeniya evil666 evildead evilone evolutio excalibu
excalibur excell excellen excite exigen exigent exodus exotic exploite explorer express express1 extensa extreme
eyeball f00tball f15eagle fabienn fabienne fabiol fabric facefuck facial faggot failsafe fairlane fairview fairway
faisal faith1 fakepass falcon falcon1 falcons fallen fallout falstaff famili familia family1 fanatic fandango fantasia
fantasti fantasy fantasy1 fantom fantomas faraon farcry farida farmboy farscape farside farter fartman fastball
fastcar fastcars faster fatass fatboy fatcat fathead fatluvr69 fatman fatpussy favorit favorite2 favorite6 favorite7
favorite8 favre4 fcbayern fduecn feanor fearless feather feathers federica fedorov feeder feedme feelgood feline
felix1 fellatio fellowes femmes fencer fender fender1 feniks fenris fenway fergie fergus fermat fernand ferrar ferrari
ferrari1 ferret fester festus fetish fettish feyenoord fffff1 fghtkm fgtkmcby fhctybq fhntvrf fhvfutljy fialka ficken
fiddle fidelio fidelity fiesta figaro fightclub fighter figment filimon filippo filter finalfan finalfantasy finder
finger fireball firebird fireblad fireblade firedog firefigh firefly firefox firehawk fireman fireman1 firenze
firestar firestor firestorm firewall firework first1 fishbone fishcake fisherma fisherman fishes fishface fishhead
fishin fishing fishing1 fishnet fishon fishtank fister fistfuck fisting fitness fitter fivestar fkbyjxrf fkbyrf
fkmnthyfnbdf fktrcfylh fktrcfylhf fktrcfylhjdbx fktrcfylhjdyf fktrctq fktyeirf fktyrf flamengo flamer flames flamingo
flange flanker flapjack flapper flash1 flasher flashman flathead flatron fletch flexible flhtyfkby flicks flintsto
flipflop flipmode flipper flipper1 flippy floppy florian florida florida1 flossy flounder flower flower1 flower2
flowers1 floyd1 flubber fluffy fluffy1 flvbybcnhfnjh flyaway flyboy flyers flyers1 flyers88 flyfish flyguy fnkfynblf
focus1 foghorn fokker fomoco fonzie foobar footbal footbal1 football football1 footjob footlove footman forall force1
fordf150 fordf250 fordf350 fordman fordtruc foreplay foreskin forest foreve forever forever1 forfun forgetit forklift
forlife formula formula1 forsaken fortuna forumwp foryou fossil fosters four20 foxcg33 foxfire foxhound foxtrot
foxylady fozzie fraggle framer francesc franci francis1 francisc frank1 frank123 frankfur franki frankie1 franky
freak1 freaks freaky freckles fred123 fred1234 freddy freddy1 frederik freebird freedo freedom freedom1 freedom2
freefall freeme freepass freeporn freesex freetime freeuser freeway freewill freiheit fremont frenchie frenchy fresca
fresh1 fresno friday friday1 friday13 friends1 friendster fright frisbee frisco frisky fritz1 frodo1 frogger froggie
froggy frogman front242 frontera frontier frosch frosty fruitbat fruity fubar1 fucing fuck0ff fuck12 fuck123 fuck69
fuck777 fuck_inside fuckall fucked fuckedup fuckem fucker fucker1 fuckers fuckface fuckfest fuckhead fuckher fucking
fuckinside fuckit fuckme fuckme1 fuckme2 fuckme69 fuckmehard fuckof fuckoff fuckoff1 fuckshit fuckslut fuckthat
fuckthis fucku2 fuckup fuckyeah fuckyo fuckyou fuckyou1 fuckyou123 fuckyou2 fucmy69 fugazi fujifilm fujitsu fuking
fulcrum fulham fullback fullmoon fun4me fungus funguy funhouse funky1 funny1 funnyman funstuff funtik funtime funtimes
furball fusion fussball futbol futura futurama future1 futyn007 fuzzball fuzzy1 fy.nrf fyfcnfcbz fyfnjkbq fylhtq
fynjirf fynjybyf fytxrf fyutkbyf fyutkjr fyutkjxtr fyyeirf fzappa gabber gabby1 gabrie gabriel1 gabriell gadget
gaetano gaffer gagarin gagged gagging gaijin galactic galadriel galahad galant galary galatasaray galaxie galaxy
galeries galileo galina gallaries galore gambit gambler gameboy gamecock gamecube gameover gandalf gandalf1 gandolf
gandon ganesh ganesha gangbang gangbanged gangrel gangsta gangster ganjaman ganjubas gannibal ganster garden gareth
garfield gargoyle garion garrett1 garten garter gasman gateway gateway1 gateway2 gatito gator1 gatorade gators gators1
gatsby gaucho gawker gayboy gaymen gaysex gazelle gbcmrf gbgbcmrf gbhfvblf gbpltw gbyudby gdtrfb geezer gegcbr geheim
geibcnbr geisha gemini gemini1 gemstone general1 generic genesi genesis genesis1 geneviev genghis genius george1
george12 georgi georgia1 geraldin gerbil gerhard germany1 geronimo gerrard gesperrt getlost getmein getmoney getoff
getout getsdown getsome gfcgjhn gfdkbr gfgfvfvf gfhfljrc gfhjdjp gfhjkm gfhjkm1 gfhjkm12 gfhjkm123 gfhjkmgfhjkm
gfhjkzytn gfhkfvtyn gfhnbpfy gfhreh gfnhbjn gforce gfynthf gggggg1 ghbdtn ghbdtn12 ghbdtn123 ghbdtnbr ghbdtndctv
ghbdtnrfrltkf ghblehjr ghblehrb ghbrjk ghbrjkbcn ghbrjkmyj ghbywtccf ghetto ghfdlf ghhh47hj7649 ghjcnbnenrf ghjcnj
ghjcnjgfhjkm ghjcnjghjcnj ghjcnjnfr ghjcnjq ghjdthrf ghjnjnbg ghjnjrjk ghjuhfvvf ghjvtntq ghost1 ghostman ghostrider
ghtktcnm giacomo gianluca gianni giants giants1 gibbon gibson1 giddyup gideon gigabyte giggle giggles gilles ginger
ginger1 ginger12 ginola ginscoot giorgi giorgio giovann giraffe girdle girfriend girlie girlies girls1 gitara giulia
giveitup giveme gixxer gizmo1 gizmodo gizmodo1 gizmos gizzmo gjgeufq gjhjkm gjkbyf gladiato gladiator glamour glamur
glendale glennwei glenwood glider glitter globus glock17 gmoney gn56gn56 go2hell goalie goarmy goatboy goaway gobears
gobigred goblin goblue gobucks gobucs gocats gocubs godawgs godbless goddess godfathe godfather godiva godlike
godofwar godsmack godspeed godzilla goethe gofast gofish goforit gogators gogeta gohawks goheels gohogs gohome goirish
golden golden1 goldeney goldeneye goldfing goldfinger goldfish goldmine goldrush goldstar goldwing golfball golfclub
golfer golfer1 golfgti golfing golfing1 golfman golfnut golfpro golgo13 goliath gollum gomets gonads gonavy gonzo1
goober goochi good123654 good2go good4u goodboy goodday gooddog goodfell goodgirl goodguy goodie goodison goodlife
goodluck goodnews goodone goodsex goodstuf goodtime goodtimes goodyear goofball goofy1 google google1 gooner goonies
goose1 gooseman gopack gopher gophers gordon1 gordon24 gorilla gorillaz gotcha gotenks gotham gothic gotigers gotmilk
gotohell gotribe gotyoass govols gr8ful grace1 gramma gramps granada grandam grandpri grandprix granny grant1 grapeape
grapes grasshop grassy gratis gravis graywolf grease great1 greatone greatsex greedisgood greedo green1 green12
green123 greenbay greenday greenman greens greentea greeny gregor gregory1 gremlin gremlins grendel gretzky greyhoun
greywolf griffey griffon grifter grimace grinch grinder gringo grisha grizzly gromit groove groovy groucho groupd2013
growler grumpy gryphon gstring gsxr1000 gsxr600 gsxr750 gthcbr gtkmvtym gtnhjdbx guardian gubber guderian guess1
guesswho guillaum guillerm guiness guinness guitar guitar1 guitarra guitars gulliver gulnara gulnaz gumball gumby1
gundam gunnar gunner gunner1 gunners gunsling gunsmoke gustav guyute guyver gy3yt2rgls gymnast gymnastic gypsy1
h2opolo habana habibi hacked hacker hackers hackerz hacking haggis haha123 hairball hal9000 halcyon haley1 halflife
halflife2 halfmoon halibut halifax hallo1 hallo123 hallowee hambone hamburg hamish hamlet hammer hammer1 hammerhe
hammers hamper hamster handbag handball handcuff handyman hangman hannah hannah1 hannes hannibal hannover hansol
hansolo hansolo1 hanuman happines happy1 happy123 happy2 happyday happydog happyman harald harcore hardball hardcock
hardcore harddick hardon hardone hardrock hardwood hardwork haribo harlem harley harley1 harpoon harpua harrier harry1
harrypotter harrys harvest hateme haters hatteras hattrick havana havefun hawaii hawaii50 hawaiian hawker hawkeye
hawkeye1 hawkeyes hawks1 hawkwind hawthorn hayabusa hazmat hd764nw5d7e1vb1 headless headshot heart1 hearts heater
heathe heather1 heather2 heaven heckfy hedgehog heeled heidi1 heineken heinlein hejsan helen1 helios helium hell666
hellas hellboy hellfire hellion hellno hello1 hello12 hello123 hello2 hello2u hellohel hellokit hellokitty hellome
helloo hellos hellothe hellow helloyou hellsing hellyeah helmet helmut helper helpme helpme1 hemicuda hemlock henderso
hendrix hendrix1 henrik henry1 hentai herbie hercule hercules heretic herewego hermes hermione hermit hernande hershey
hershey1 hesoyam hetfield hewlett heynow heyyou hfleuf hfljcnm hfytnrb hibernia hickory hidden highbury highheel
highland highlander highlife hiking hilfiger hillbill hillside hilltop hiphop hippie hippos hiroshi hitachi hithere
hitler hitman hitman47 hitomi hiziad hjccbz hjvfirf hobbes hobbit hockey hockey1 hoddle hogtied hogwarts hokies holdem
holein1 holeinon holger holiday holiday1 holly1 hollywoo holycow holyshit hombre home123 homebase homeboy homebrew
homely homemade homepage homer1 homer123 homerj homers homerun homies hommer honda1 hondacbr hondacivic hondacrx
hondas honey1 honeybee honeybun honeydew honeys hongkong honolulu hoochie hookem hooker hookers hookup hooligan
hoopster hoosier hoosiers hooter hooters hooters1 hootie hooyah hopeful horatio horizon horndog hornet hornets horney
horny1 horny69 hornyboy hornyguy hornyman horse1 horseman horsemen horses horsey hot123 hot2trot hotass hotbabe
hotbabes hotbox hotboy hotchick hotcock hotdog hotdogs hotel6 hotgirl hotgirls hotlegs hotlips hotmama hotman hotone
hotpants hotpussy hotrats hotred hotrod hotsauce hotsex hotshit hotshot hotspur hotstuff hottie hottie1 hotties hottub
hotwheel hotwife houdini hounddog hounds house1 housewife housewifes houston1 hr3ytm hrfzlz hrvatska htubcnhfwbz
htubyf hugecock hugetits hugoboss hulkster humbug hummer humpty hun999 hunter hunter1 hunter12 hunter2 hunting
hurrican husker huskers huskers1 huskies hustler hyperion hyundai iamcool iamgod iawgk2 ib6ub9 ibanez ibill01 ibilljpf
ibilltes icarus iceberg icecold icecream icecube icehouse iceman iceman1 icetea icu812 idefix idontkno idontknow
idunno iforget iforgot ignatius igorek iguana ihateyou iiyama ijrjkfl ijrjkflrf ilikeit ilikepie ilikesex illini
illmatic illumina illusion ilove69 ilovegod iloveher iloveit iloveme ilovemyself iloveporn ilovepussy ilovesex iloveu
iloveu2 iloveyo iloveyou iloveyou1 iloveyou2 ilya1234 ilya1992 imation imback imcool imhorny immortal imogen impala
impalass imperium implants impreza imtheman imzadi incest incubus indahous indain india123 indiana indiana1 indians
indians1 indica indiglo indigo indy500 indycar inferno infiniti infinity inflames inlove insane insert insertion
insertions insider insomnia inspiron install integra integra1 interacial intercourse interex internat interne internet
internet1 intrepid intruder inuyasha invader invictus iomega iphone ipswich irakli ireland1 irinka irish1 irisha
irishka irishman iriska ironhead ironhors ironmaid ironmaiden ironman ironman1 isacs155 iscool isgreat ishikawa
ishmael island1 islander ismail istanbul istheman itachi italia italiano itisme itworks ivanhoe ivanov ivanova iverson
iverson3 iwantsex iwantu iwantyou izabella izzicam j3qq4h7h2v jabber jabroni jachin jack123 jackal jackass jackass1
jackdog jackel jacker jackie1 jackoff jackpot jackso jackson1 jackson2 jackson5 jacob1 jadzia jagger jagr68 jaguar
jaguar1 jaguars jailbird jakarta jake12 jakedog jakers jakester jamaica jamaica1 james007 james1 james123 james2
jamesb jamesbon jamesbond jamesd jamess jamest jamie1 jammer jammin janet1 janeway januar january1 japan1 japanees
japanes jared1 jarhead jasmine jasmine1 jason1 jason123 jasons jasper jasper1 javelin jaybird jaycee jaydee jayden
jayhawk jayhawks jayman jazzman jazzy1 jbond007 jeadmi jediknig jediknight jedimast jeepcj7 jeeper jeepers jeepster
jeeves jefferso jeffrey1 jeffro jehovah jelena jelly1 jellybea jellybean jenna1 jennaj jennife jennifer1 jenny1
jeremy1 jericho jerkoff jeronimo jerry1 jerryg jerrys jesper jesse1 jessic jessica1 jessica2 jessie1 jester jesus1
jesus123 jesus7 jesus777 jesusc jesuschrist jesuss jetaime jeter2 jethro jetski jetson jewboy jewels jezebel jiggaman
jigsaw jim123 jimbeam jimbo1 jimbob jimmy1 jimmy123 jimmy2 jimmys jingle jingles jjjjj1 jktxrf jktymrf jockey jodeci
joe123 joeblow joebob joecool joemama johann johannes john12 john123 john1234 john316 johnboy johncena johndeer
johndeere johndoe johngalt johnmish johnny1 johnny5 johnson1 joker1 jokers jomama jonatha jonboy jones1 joness jonesy
jordan jordan1 jordan2 jordan23 jordyn joselui joseluis joseph1 josephin joshua1 joshua12 joyce1 joyful joyride
joystick jrcfyf jsbach juancarlo juanito jubilee juggalo juggle jughead julia1 julie1 julien jumanji jumper juneau
junebug jungle junior junior1 juniper junkie junkmail junkyard jupiter jupiter1 jupiter2 jurassic just4fun just4me
justdoit justice justice1 justin1 justin12 justinbieber justme juventus jys6wz k.lvbkf k123456 k2trix kaboom kabuki
kahlua kahuna kailua kakarot kakaroto kakashi kakashka kaktus kalina kamasutra kamehame kamikadze kamikaze kamila
kamilla kangaroo kansas kapusta karachi karamba karamelka karaoke karapuz karate kardon karen1 karina karolina kashmir
kasper kasumi katana katarina katenok katerina katharin kathy1 katie1 katrin katrina1 katten katzen kavkaz kawaii
kawasaki kayla1 kazanova kazantip kban667 kbctyjr kcchiefs kcj9wx5n keeper keepout keith1 keksa12 kelly1 kelly123
kenneth1 kennwort kenny1 kenobi kenshin kenwood kenworth kenzie kermit1 kernel kerouac kestrel kevin1 kevin123 kevins
keyboard keystone keywest kfcnjxrf kfgjxrf kfhbcf khalid kickass kicker kickflip kicksass kidrock kieran kikimora
killah killbill killemall killer killer1 killer12 killer123 killers killjoy killme killroy killyou killzone kilroy
kimchi kimmie kindbud king123 kingair kingfish kingkong kingpin kingrich kings1 kingsize kingston kingtut kipper
kirby1 kirill kirsty kismet kisses kisska kissme kissmyas kissmyass kiteboy kitkat kitten kitten1 kittens kitties
kitty1 kitty123 kittycat kittykat kittys kjifhf kjiflm kjkszpj kjrjvjnbd klaatu klaste klaster klaudia kleenex
kleopatra klingon klizma klondike klopik knickerless knickers knicks knight1 knights knockers knopka knuckles knulla
kobe08 kochamcie kochanie kodiak kodiak1 kokomo kolbasa koleso kolibri kolobok kolokol kombat komodo komputer konfetka
konstantin kontakt kontol konyor kookie koolaid kordell1 koroleva korova koshka kosmos kosova kostas kostik kostya
kotaku kotenok kovalenko kraken kramer1 krasnodar krasota krasotka kratos kremlin krishna kristen1 kristin1 krokodil
krolik kronos krusty krypto krypton ksenia kseniya ksusha kthjxrf ktyjxrf kubrick kukolka kungfu kurosaki l3tm31n
l58jkdjp! labatt labrador labtec lacoste lacrimosa lacrosse laddie ladles ladybird ladyboy ladybug ladygaga laetitia
lagnaf laguna lagwagon lakers lakers1 lakers24 lakeside lakewood lakings lakota lakshmi lalakers lalaland lambchop
lambda lamborghini lampard lancaste lance1 lancelot lancer lancia landrove landscap lansing lantern lapdance lapochka
laptop laracrof laracroft laredo larisa larry1 larry123 larsson laser1 laserjet lasers lassie lasttime lasvega
lasvegas latinas latino laura1 lauras lauren1 laurent lavalamp lawdog lawman laxman lazarus lbfyjxrf lbtest lbvjxrf
leahcim learjet leather leavemealone lebowski lebron23 ledzep leeds1 leedsutd leeloo leeroy left4dead legacy legend
legenda legion legman legoland legolas lehjxrf leiceste leinad lekker lemans lemmein lemming lemmings lemon1 lemonade
lemond lennon leno4ka lenochka leonid leonidas leopard leopold leroy1 lesbain lesbean lesbens lesbian lesbians lesbos
lespaul lestat letme1n letmei letmein letmein1 letmein2 letmein22 letmeinn letmesee letsdoit letsfuck letsgo letsplay
levani level42 lexicon lexingky lexmark lexus1 lfhbyf lfitymrf lfybbk lfybkf lfybkrf lhfrjy libero libertad liberty
liberty1 libido lickem licker licking lickit lickme licorice lifehack lifeisgood light1 lighter lighthou lightnin
lightning lights lilbit liliya lilman lilwayne limewire limpbizkit limpone limpopo lincoln1 linda1 lindros lindsay1
lindsey1 lineage lineage2 lineman linkin lioness lionhear lionheart lionking lipton liquid lisa69 lisboa lisenok
lithium little1 littlebi littlema livelife liverpoo liverpool liverpool1 livewire lizard lizard1 lizaveta lizzard
ljrnjh ljxtymrf loader lobster lockdown lockerroom lockout locust locutus logan1 logan5 logger logitech loglatin
lokomotiv lol123 lol1234 lol12345 lolipop lollipop lollol lollol1 lollypop lololol loloxx lolwut london london1
lonesome lonestar lonewolf longbow longdick longdong longhair longhorn longhorns longjohn longlegs longshot looker
lookout lookup looser lopata loredana lorien losangel losangeles loser1 losers lostsoul lothar lotus1 lotus123 loudog
louis1 louise1 love11 love12 love123 love1234 love22 love69 lovebug lovefeet lovegod lovegun lovehate loveis loveit
lovelife lovely lovely1 loveme loveme1 loveme89 lover1 lover69 loverboy loverman lovers lovesex lovesexy lovesme
loveya loveyou loveyou1 loveyou2 lowdown lowrider loyola ltdjxrf ltkmaby ltybcrf ltymub lucas1 lucas123 lucent lucian
lucifer luckie lucky1 lucky123 lucky13 lucky2 lucky7 lucky777 luckyboy luckydog luckyman luckyme luckyone luckys
ludacris ludmila lugano lugnut lumber lumina lunchbox luscious luv2epus lux2000 lvbnhbq m0nk3y m0nkey m12345 m123456
macaco macaroni macbeth macdaddy macgyver machine machoman maciek macintos macintosh mack10 mackenzi macman macross
madagaskar madala11 madcat madcow maddie maddison maddog madina madiso madison madison1 madman madmax madness madoka
madonna madonna1 maestro magadan maganda magelan magellan magenta maggie maggie1 maggot magic1 magic123 magic32
magician magick magicman magics magnavox magnet magneto magnum magnus magpie magpies magyar mahalkita mahalko mahalo
maiden mailcreated5240 mailman mailru maison majestic major1 makaka makarov makaveli makayla makeitso makemone
makemoney makoto maksim maksimka malachi malaga malaka malakas malcolm1 malibu malice malina malinka malish malishka
mallard mallorca mallrats mama123 mamacita mamamia mamapapa mamedov mamita mammamia mammoth mamo4ka mamochka mamont
man123 manager1 manana manatee manchest manchester mancity mandarin manders mandingo mandolin mandrake mandy1 manfred
mango1 mangos manhatta maniac manish manitou mankind mannheim manolo manowar manson mansur mantis mantle mantra
manuals manunited manutd mapet123456 maradona marajade marathon marauder marbles marcello march13 marcin marcius2
marco1 marcus1 marduk margarit margaux margosha maria1 maria123 maricon marie1 marigold marijuan marijuana marika
marina marina1 marine marine1 mariner mariners marines marines1 marinka marino marino13 mario1 mario66 maripos
mariposa marishka marius mariya mark123 marker marketin markie markiz markiza marlboro marley marley1 marlins marmite
maroon marseill marseille marsel marsik martian martin1 martin6 martini marty1 marusya marvin1 maryjane marykay
masamune maserati mash4077 mashina mashka mason1 massive master master01 master1 master11 master12 master123
masterbaiting masterbate masterbating masterkey mastermi mastermind masterp masturbation matador matchbox mateusz
matisse matrix matrix1 matros matteo matthe matthew1 matthew2 matthew7 matthias mattingl mature matvei matvey maurici
maurizio maurolarastefy maveric maverick maverick1 mavericks max123 max333 maxdog maxell maxfli maxima maxime
maximilian maximka maximus maximus1 maxman maxpayne maxpower maxwell maxwell1 maxxxx mayday mayfair mayhem mazafaka
mazda1 mazda3 mazda323 mazda6 mazda626 mazdarx7 mazinger mcgwire mclaren meadow meandyou meatball meathead meatloaf
mechanic medic1 medicina medion medusa medved megadeth megafon megaman megan1 megane megapass megatron meggie meister
melanie1 melbourn meliss melissa1 mellon mellow melons melrose memnoch memorex memphis menace mensch menthol mentor
mentos meonly meowmeow meowmix mephisto mercede mercedes mercury mercury1 meridian merlin merlin1 merlot mermaid
mersedes messi10 messiah met2002 metal1 metal666 metalgear metalica metall metallic metallica metallica1 metalman
methos metro1 metroid metropol mettss mewtwo mexico mexico1 miami1 miamor michae michael1 michael2 michael3 michael7
michael8 michael9 michele1 michelle1 michigan mickey mickey1 microlab micron microphone microsof microsoft midget
midnight midnite midori midway mierda mighty mihail mikado mikael mikayla mike01 mike11 mike12 mike123 mike1234 mike23
mike69 mikey1 mikkel milamber milana milano milashka milena milenium miles1 milfnew milhouse milkman milkyway
millenium miller1 millerli million1 millwall mimosa minako minecraft mingus minime minimoni minion minnesot minotaur
mirage miranda1 miroslav mischa mischief misfit misfit99 misfits mishka misiaczek misiek missie mississi missy1 mister
mistral mistress misty1 mittens mizuno mizzou mjolnir mnbvcxz mnbvcxz1 mobbdeep mobydick modelsne modena modles mogwai
mohawk mojave mojojojo molly1 molly123 mollydog mollys moloko molotok molson momdad mommie mommy1 momoney
momsanaladventure momsuck monaco monalisa monarch monday monday1 mondeo money1 money12 money123 money2 moneybag
moneyman moneys moneyy mongoose monica1 monica2 monies monique1 monitor monkey monkey1 monkey11 monkey12 monkey123
monkey2 monkey69 monkeybo monkeyboy monkeyma monkeyman monkeys monolith monopoly monsoon monste monster monster1
montag montana montana1 montauk montecar montecarlo monterey montgom240 montreal montrose monty1 moochie moocow mookie
moomoo moonbeam moondog mooner moonligh moonlight moonman moonpie moonshin moonshine moonstar moose1 mooses moosey
mopar1 mordor morena morgan1 morgana morgen morgoth moritz morkovka morlii morozov morozova morpheus morrigan morrisse
morrowind morten mortgage morticia mortimer mortis moscow moses1 moskva mostwanted motdepasse mother mother1 motherfu
motherlode mothra motocros motocross motorcyc motorola motown mounta1n mountain mouse1 mousepad mouser mouses mousey
mowgli mozart mrbill muaddib muaythai mudvayne muenchen mufasa muffdive muffin muffin1 mugwump mulberry mulder mullet
multiplelo multisyn muncher munchie munchkin muppet murphy1 murzik musashi muschi muscle muscles mushroom music1
music123 musica musicman muskie muskrat mustafa mustan mustang mustang0 mustang1 mustang2 mustang3 mustang5 mustang6
mustang7 mustang8 mustang9 mustangg mustangs mustard mutabor mutant mutley mutter muttley my3sons myangel mybaby
myboys mycock mydick myfriend mygirl mygirls myhouse mykids mylene mylife mylove mymoney mymother myname mynameis
mypass mypasswo mypassword myporn mypussy mysecret myspace myspace1 mysterio mystic mystuff myszka mytime mywife
myworld myxworld mzepab nachos nacked nadegda nadejda nadezhda nagrom naked1 namaste nancy1 nancy123 nanook napalm
napass napoli napster narnia naruto naruto1 nascar nascar1 nascar24 nascar3 nasdaq nastena nastenka nastia nasty1
nastya nataha natali natalie1 natalka nataly natascha natasha natasha1 natashka natchez natedog natedogg nathan1
nathanie naught naughty naughty1 nautica nautilus navajo navigato navigator navyseal nazgul nbuhtyjr nbvjatq nbvjif
ncc1701 ncc1701a ncc1701d ncc1701e ncc74656 ndirish ne1469 nebraska nebula needforspeed needit negrit nelson1 nemesis
nemesis1 nemrac58 neptun neptune nermal nessie nestle netscape network1 neutron nevada never1 nevermin nevermind
nevermor nevermore nevets newage newark newbie newcastl newday newjob newlife newlife1 newness newone neworder newpass
newpass1 newpass6 newport newport1 newproject2004 newstart newstyle newuser newworld newyear newyork newyork1 nextel
nexus6 nfhfrfy nfnmzyf nfvfhf nfy.irf nfytxrf nhfrnjh nibbles niceass niceday niceguy nicetits nichola nicholas1
nickel nickle nicky1 nicola nicole1 niggas niggaz nigger nigger1 niggers nighthaw nightmar nightowl nightwin nightwish
nihongo nikita nikita1 nikita123 nikitin nikitina nikitos nikki1 niklas nikola nikolai nikolaus nikolay nimbus nimitz
nimrod nineball nineinch niners ninguna ninja1 ninjas nintendo nipper nipple nipples nippon nirvan nirvana nirvana1
nissan nissan1 nitram nitrous nitrox nittany njdevils nocturne nodoubt nodrog nofear nogard nokia1 nokia123 nokia3250
nokia3310 nokia5130 nokia5230 nokia5300 nokia5530 nokia5800 nokia6233 nokia6300 nokian70 nokian73 noles1 nolimit
nolimits nomads nomar5 nomore noname noname123 nonmembe nonrev67 nonstop noodle noodles nookie nopass nopassword
normandy northsta norwich nosferat nosferatu nostromo not4you notebook nothing1 notnow notredam notredame notused
nounours novell novifarm novikov novikova nthvbyfnjh ntktajy ntktdbpjh nubian nudist nudity nugget nuggets number1
number6 number9 numlock nurbek nurlan nutella nutmeg nutsack nuttertools nvidia nwo4life nygiants nyjets nyknicks
nylons nymets nympho nyyankee oakland oaktree oasis1 oatmeal obelix oberon obiwan oblivion obsidian oc247ngucz ocarina
ocean1 oceans oceans11 ocelot octavian october1 october2 octopus oddjob odysseus odyssey oedipus oemdlg offroad ohbaby
ohmygod ohshit ohyeah oicu812 oilers oilman okmijn oksana oktober oldfart oldman oldnavy oldone olds442 oldschool
olechka olemiss olenka olesya oliver oliver1 olivetti olivia1 olivier olympus omanko omega1 omega2 omega3 omegared
omerta omicron omsairam onelove onepiece oneshot onetime oneton onetwo onions online online1 onlyme onlyone open123
open1234 opendoor openit openme opennow opensesame openup operator opiate optima optimist optimus optiplex oracle
oralsex orange orange1 orange12 orange8 oranges orchard orchid orgasm orgasms orient oriflame oriole orioles orion1
orkiox. orland orlando1 orpheus orwell oscar1 oscar123 oscars osiris osprey othello otters ou8122 ou8123 ou812ic
out3xf outback outkast outlaw outlaws outsider ovation overkill overlord ownage oxford oyster p0015123 p0o9i8 p0o9i8u7
p455w0rd p4ssw0rd p@ssw0rd pa55w0rd pa55word pablito pablo1 pacers pacifica pacino packard packard1 packer packers
packers1 pacman paddle padres paige1 paintbal paintball paisley pajero pakista pakistan paladin paladin1 pallmall
palmetto palmtree paloma pamela1 panacea panache panama panasoni panasonic pancake panchito pancho panda1 pandas
pandora pandora1 panhead panorama panter pantera pantera1 panther panther1 panthers pantie panties panties1 pantyhos
pantyhose panzer papabear papamama papaya paper1 papercut paperino papichul papillon papito paradigm paradise paradox
paragon paramedi paramore paris1 parker1 parkour parlament parola paroll parolparol parrot parsifal partizan party1
pasadena pascal pasport pass01 pass12 pass123 pass1234 pass99 passat passcode passfan passfind passion passion1
passions passmast passme passord passport passthie passw0r passw0rd passwd passwerd passwor passwor1 password
password01 password1 password11 password12 password123 password2 password3 password4 password9 password99 passwords
passwort pasword patata patate patches patches1 pathfind pathfinder patric patrici patricio patrick1 patrick2 patrik
patriot patriots patrizia patryk pattaya patter patterso paul123 paula1 paulie pavement pavilion pavlik pavlov pavlova
payday payton34 pdiddy pdtplf peace1 peaceout peaches peaches1 peaches2 peachy peanut peanut1 peanuts pearl1 pearljam
pearls peavey pebble pebbles pecker peddler pedro1 pedros peekaboo peeper peepers peewee pegasus pegasus1 pelican
pelikan pencil pendejo pendrago penetrating penetration penfold penguin penguin1 penguins penis1 pennst pennstat
pennstate penny1 pennywis penthous pentium pentium4 pepito pepper pepper1 pepper12 pepsi1 pepsi123 pepsicola peregrin
perfect1 perils perkele persik persona pertinant pervasive pervert pescator peter01 peter1 peter123 peterbil
peternorth peterose peterpan petite petra1 petrov petrova petrovich petrus petter petunia peugeot pfkegf pfloyd pfqxbr
phaedrus phantom phantom1 pharao pharmacy phatty pheasant phenix pheonix phialpha philipp philippe philips phillies
phillip1 philly phish1 phishy phoeni phoenix phoenix1 phoenix2 photo1 photoes photog photon photos phreak phuket
pi314159 pianoman pianos piazza31 picard picard1 picasso piccolo picher picker pickle pickles pickup pictere pictuers
picturs pieman piercing pietro pigdog pigeon piggies piglet pigpen pikachu pillow pilot1 pilsner pimpdadd pimpdaddy
pimpin pimping pimpster pinball pineappl pineapple pinetree pinewood pingpong pinguin pingvin pinhead pinkfloy
pinkfloyd pinky1 pinnacle pintail pionee pioneer pioneer1 pioner pipeline piper1 pipers pipiska pippen pippen33
piramida piramide piranha pirata pirate pirates pisces pissant pisser pissing pissoff pistol piston pistons pitbull
pitchers pittbull pitures pixies pizdec pizza1 pizzahut pizzaman pizzapie pizzas pjkjnj placebo placid planet planeta
planner plasma plastic plastics platinum platon platypus playball playbo playboy playboy1 playboy2 playboys player
player1 player69 playful playmate playstat playstation playtime please1 pleaseme plokij ploppy plover plumber pluto1
pluton plymouth pobeda pochta poi098 poison poiuyt poiuytrewq pokemo pokemon pokemon1 pokemon123 poker1 pokey1
polarbea polaris polaroid polgara police police1 police22 polina polinka polkmn pollux polly1 polniypizdec0211 polska
polska1 pomidor pommes pompey poncho pontiac pontiac1 ponyboy poobear poochie poodle poohbea poohbear pookey pookie
pookie1 pool6123 poontang poop123 pooper poophead poopie poopoo poopsie poopy1 pooter popcorn popcorn1 popeye popova
popper poppet poppie poppy1 poptart porkchop porn123 porn4life porn4me porn69 pornking porno1 pornographic pornos
pornpass pornstar porsche porsche1 porsche9 porsche911 porshe portland portman portugal poseidon possum postal postman
postov1000 posture potato pothead pounded powder power1 power123 powerade powerman powerpc ppppp1 prakash prancer
prashant praxis preacher precious predator prelude prelude1 premium presario presiden presto prettygirl pretzel prikol
primal prime1 primetim primus prince prince1 princes princesa princess princess1 princessa princeto pringles printer
priscill prissy privat private private1 privet priyanka pro100 probes prodigy prophet prosper prospero prosto proton
protoss proverbs proview prowler prozac psychnau psychnaut1 psycho psycho1 puddin pudding puddles puffer puffin
pufunga7782 pugsley pulamea pulsar pumkin pumper pumpkin pumpkin1 pumpkins punani punisher punkass punker punkin
punkrock punter pupkin puppies puppy1 puppydog puppys pupsik puravida purdue purgen purple purple1 pusher pushkin
pushok pussey pussie pussies pusssy pussy1 pussy123 pussy2 pussy4me pussy69 pussycat pussyeat pussyeater pussylicker
pussylov pussylover pussyman pussys putter pyramid pyramid1 pyramids python q11111 q12345 q123456 q1234567 q123456789
q1234567890 q1q2q3 q1q2q3q4 q1q2q3q4q5 q1w2e3 q1w2e3r q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 q2w3e4 q2w3e4r5 qawsed qawsedrf
qawsedrftg qaywsx qaz123 qaz12345 qaz123wsx qaz741 qazedc qazplm qazqaz qazwsx qazwsx1 qazwsx12 qazwsx123 qazwsxed
qazwsxedc qazwsxedc1 qazwsxedc123 qazwsxedcrfv qazwsxedcrfvtgb qazxcv qazxsw qazxsw12 qazxsw123 qazxswed qazxswedc
qazxswedcvfr qazzaq qpalzm qq123456 qqq111 qqqq1111 qqqqq1 qqqqqq1 qqqwww qqwwee quake3 quaker quant4307s quantum
quartz quasar quattro queen1 queens quest1 quixote qw123456 qwaszx qwaszx12 qwaszx123 qwe123 qwe123qwe qwe321 qwe789
qweasd qweasd123 qweasdzx qweasdzxc qweasdzxc123 qwedsa qwedsazxc qweewq qweqwe qweqwe123 qwer12 qwer123 qwer1234
qwer4321 qwerasdf qwerasdfzxcv qwerfdsa qwert1 qwert12 qwert123 qwert12345 qwert40 qwertasdfg qwerty qwerty00 qwerty1
qwerty11 qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwerty13 qwerty2 qwerty22 qwerty7 qwerty77 qwerty777
qwerty78 qwerty99 qwertyasdfgh qwertyu qwertyui qwertyuio qwertyuiop qwertz qwertzui qwezxc r12345 r2d2c3p0 r2d2c3po
r4e3w2q1 rabbit rabbit1 rabbits rabota raccoon racecar racer1 racers racerx rachel1 racing racoon radar1 radeon
radiance radio1 radiohea radiohead raduga raffles ragman ragnar ragnarok raiden raider raider1 raiders raiders1
rainbow rainbow1 rainbow6 rainbows raindrop rainier rainman rainyday raisin raistlin rajesh rakesh raketa rakkaus
ralph1 ralphie ralphy ram1500 ramada ramair ramazan rambler rambo1 ramjet rammstei rammstein ramone ramones rampage
ramrod ramses ramstein ramzes ranchero rancid random random1 randy1 ranetki ranger ranger1 rangers rangers1 rapier
raptor raptors rapture rapunzel rascal rasdzv3 rasmus rasputin rasta1 rasta69 rastaman raster rastus ratboy ratchet
ratdog ratfink ratman rattler ravage raven1 ravens rawhide rayman raymond1 raziel razorbac razzle rb26dett rbcekz
rbhbkk rctybz rdfhnbhf reader ready1 realmadrid realtor reaper reaper1 reaver rebbyt34 rebecca1 rebel1 rebelde rebels
rebelz rebirth reboot reborn reckless red123 red1234 red12345 redalert redbaron redbeard redbird redbone redbull
redcar reddevil reddog reddog1 reddragon reddwarf redeye redfish redfive redfox redhat redhead redhead1 redheads
redhot rediska redleg redlight redline redman redneck redneck1 redone redrock redrose redrum redshift redskin redskins
redsox redsox1 redstar redstorm redtruck redwall redwine redwing redwing1 redwings redwolf redwood reebok reefer
reeses reflex reggae reggie1 rehbwf reklama reliant reload reloaded remingto renault renee1 renegade repoman reptile
repytwjd repytwjdf requiem rerehepf rereirf rerfhfxf rerfhtre rescue respekt restart retard retsam reverb revival47
revoluti revolver reznor rfgbnjirf rfgecnf rfhbyf rfhfgep rfhfvtkmrf rfhfylfi rfhlbyfk rfhnjirf rfkbyf rfnthbyf
rfntyjr rfntymrf rfrfirf rfrnec rfvfcenhf rhapsody rhbcnbyf rhfcfdbwf rhfcfdxbr rhfcjnf rhfcjnrf rhino1 rhinos rhjkbr
rhjrjlbk rhtdtlrj rhubarb ribbit ricard riccardo rice80 richar richard1 richard2 riches rickster ricky1 ricochet
riddler riffraff rigger rightnow righton riley1 ripken ripper ripple riptide river1 riverrat riversid rjcnbr rjcvjc
rjhjdf rjhjkm rjhjktdf rjirfrgbde rjitxrf rjntyjr rjnzhf rjyatnrf rjycnfynby rjyjgkz rktjgfnhf roadkill roadking
roadrunn roadrunner roadster roadway rob123 robert1 robert12 robert2 roberto1 robin1 robinhoo robinhood robocop
robotech robotics rocco1 rochard rocheste rocker rocket rocket1 rocketma rocketman rockets rockey rockford rockhard
rockie rockies rockin rockman rocknrol rocknroll rockon rockroll rocks1 rockstar rocky1 rocky123 rocky2 rockydog
rodent rodina rodion rodman rodrig roger1 rogue1 roland1 roller rollin rolltide roma123 roman1 romanov romanova romans
romario romashka romeo1 rommel romulus ronald1 ronaldinho ronaldo ronaldo1 ronaldo7 ronaldo9 roodypoo roofer rookie
rooster rooster1 roosters rootbeer rootedit rooter rosebud rosebud1 rosewood rosie1 rostik rostov roswell rotary
rotten rotterda route66 router rover1 rovers royale royals royboy roygbiv rrpass1 rsalinas rt6ytere rtyuehe rubber
rubble rubicon rudeboy ruffles rufus1 rugby1 rugger rugrat rugrats rulezzz rumble rumple runaway rundmc runescape
runner runner1 rush2112 rushmore ruslan russell1 russia russian7 rustam rusty1 rusty2 rustydog ryjgrf s12345 s123456
saab900 saab9000 sabaka sabbath sabian sabine sable1 sabres sabrin sabrina1 sachin sadie1 safari safeway saffron
sahara saibaba saigon sailboat sailfish sailing sailor sailor1 sailormoon saints sairam saiyan sakura salamander
salamandra salami salasana saleen sallas sally1 salman salmon salomon salope salsero saltydog salvator sam123 samadams
samael samanta samanth samantha samantha1 samdog sameer samhain samiam sammy1 sammy123 sammyboy sammydog sammys samoht
samolet sampson1 samson samson1 samsun samsung samsung1 samtron samuel1 samurai samurai1 samwise sanane sancho sandeep
sandiego sandman sandman1 sandra1 sandrine sandro sandy1 sandy123 sandydog sandys sanfran sanity sanity72 sanjay
sanjose sanjuan santacru santafe santiag santino saopaulo saphire sapper sapphic sapphire sarah1 sarah123 sarahs
sarajevo saratoga saratov sascha sasha1 sasha123 sasha_007 sashka sashok saskia sassie sassy1 sasuke satan1 satan666
satana satanas satchel satchmo satellit sativa satori satriani saturn saturn1 saturn5 sauron sausage sausages save13tx
savior sawdust saxman saxophon sayang sc00ter scamper scania scanner scarab scarface scarlet sceptre schalke schastie
schatzi scheisse schlong schnuffi school1 schule schumi schwanz schweiz schwinn scimitar scirocco scoobie scooby
scooby1 scooby2 scoobydo scoobydoo scoote scooter scooter1 scooters scorpi scorpio scorpio1 scorpion scorpions scotch
scotland scott1 scott123 scotts scottt scotty scotty1 scout1 scrabble scrapper scrappy scream screamer screwy screwyou
scrooge scrotum scruffy scruffy1 scuba1 scully seabass seabee seadog seadoo seagate seagull seahawk seahawks seahorse
sealteam seamus searay searcher seaside seattle seattle1 seaweed seawolf sebastia sebastie sebora sebring secret
secret1 security sedona seductive seeker segblue2 segreto seinfeld sekret select selmer seminole semper semperfi
senators seneca sensatio sensei sentinel sentra sentry sephirot sephiroth septembe sepultura seraphim serebro serega
serenity sergbest sergei sergej sergey serpent sersolution server service1 sesame sestra seven11 seven7 seven77
seven777 sevenof9 sevens severin seville seviyi sex123 sex4me sex6969 sexbomb sexboy sexgod sexman sexpot sexsex
sexsexse sexslave sextoy sexual sexxxx sexxxy sexy12 sexy123 sexy69 sexyass sexybabe sexybaby sexybitch sexyboy
sexygirl sexyguy sexylady sexymama sexyman sexyme sexyone sexyred sf49ers sfgiants shabba shadow shadow01 shadow1
shadow11 shadow12 shadow13 shadow2 shady1 shaggy shaker shakti shakur shalom shaman shamil shampoo shamrock shamus
shandy shane1 shaney14 shania shannara shanno shannon1 shanny shaolin shark1 sharks sharky sharon1 sharpie shasta
shaved shawn1 shazam sheba1 sheeba sheepdog shelby shelby1 sheltie shemale sherlock shevchenko shibby shibumi shifty
shiloh shimano shimmer shiner shinigami shinji shinobi shiraz shitface shitfuck shithead shitter shitty shiznit
shocker shodan shogun shojou shonuf shooter shooter1 shopper shorty shorty1 shotgun shotgun1 shotokan showboat showme
showtime shredder shrike shroom shuang shurik shutup shyguy sickboy sidekick sidewind siemens sienna sierra sierra1
sigma1 sigmachi sigmar silly1 silver silver1 silver12 silverad silverado simba1 simcity simeon simon1 simple simple1
simpson1 simpsons sinatra sinbad sincity sinful singapor single1 sinister sinjin sinned sinner sirius sithlord sitruc
sixers sixpack sixty9 sixtynin sixtynine sizzle sk84life sk8ordie sk8ter skateboa skateboard skater skazka skeeter
skeeter1 skeletor skibum skidoo skiing skillet skillz skinhead skinny skipper skipper1 skippy skippy1 skittle skittles
skolko skorpion skulls skydive skydiver skyhawk skylar skylark skyler skyline skyline1 skynet skypilot skywalke
skywalker slacker slacking slainte slamdunk slammer slapnuts slapper slappy slapshot slasher slave1 slavik slayer
slayer1 slayer66 slayer666 sleeper sleepy slicer slick1 slider slimed123 slimer slimjim slimshad slimshady slinky
slipkno slipknot slipknot1 slipper slippery slippy sliver slonik slowhand sludge slugger sluggo slurred slut69 sluttey
slutty slydog smackdow smackdown smallville smart1 smartass smarties smarty smashing smeghead smegma smeller smelly
smile1 smiles smiley smirnoff smirnov smirnova smith1 smiths smithy smitty smoke1 smoke420 smokedog smoker smokes
smokey smokey1 smokie smokin smooch smooth smooth1 smoothie smother smudge smuggles smurfs smutty snake1 snakeman
snakes snapon snapper snapple snappy snapshot snatch sneaker sneakers sneaky snicker snickers sniffer snikers sniper
sniper1 snoogans snooker snookie snooks snoopdog snoopdogg snoopy snoopy1 snowball snowbird snowboar snowboard snowdog
snowflak snowflake snowman snowman1 snuffy snuggle snuggles sobaka sober1 sobriety soccer soccer1 soccer10 soccer11
soccer12 soccer13 soccer2 socrate socrates sodapop sofiya softail softball softtail software sojdlg123aljg sokolov
sokolova solace solaris soldat soldier soleda soleil solidsnake solitude solnce solnishko solrac sommer sonata
songbird songoku sonic1 sonics sonny1 sonnyboy sonoma sonora sonyericsson sonyfuck sonyvaio sooners sooners1 sophie
sophie1 soprano sopranos sorcerer sosiska soso123aljg soulfly soulmate sound1 southpar southpark southpaw southsid
southside sowhat space1 spaceman spade1 spaniel spanker spanking spankme spanks spanky spanky1 spanner sparhawk
sparkey sparkle sparkles sparky sparky1 sparta spartacu spartak spartan spartan1 spartan117 spartans sparty spawn1
speaker special1 specialk spectre spectrum speed1 speedo speedy speedy1 spencer1 sperma sphinx spice1 spider spider1
spiderma spiderman spiderman1 spidey spiffy spike1 spiker spikes spikey spinner spiral spirit spitfire splash splatter
spleen spliff splinter splurge spock1 sponge spongebo spongebob spooge spooky spooky1 spoons sport1 sports1 sportste
sporty spotty spring sprint sprinter sprite sprocket sprout spunky spurs1 sputnik spyder sqdwfe squall squash squeak
squerting squiggy squirrel squirt squirts squish srinivas sssss1 staind stalin stalker stallion stallone stamford
stampede standby stanislav stanley1 star12 star123 star69 starbuck starbucks starcraf starcraft stardust starfire
starfish starfox stargate stargaze starligh starlight starlite starman stars1 starship starsky start1 start123 startac
starter startrek starwar starwars starwars1 stasik static stayout stealth stealth1 steaua steel1 steeler steelers
steelers1 steelhea stefano steffi stella1 stellar stepan steph1 stephani stephen1 stephy stereo sterlin sterva steve1
steve123 steven1 steveo steves stewart1 stewie stickman sticks sticky stiffy stigmata stiletto stimpy sting1 stinger
stinger1 stingray stinker stinky stinky1 stitch stocking stocks stomper stone1 stone55 stonecol stonecold stoned
stones stonewal stoney stooge stooges stopit stoppedby storm1 stormy storys strange1 stranger strannik stratfor strato
stratus strawber strawberry streaming strelok strider strife strike striker stripe striper stripper stroker stroller
stryker stubby studly studman stuffer stumpy stunner stupid stupid1 stussy stylus subaru sublime sublime1 submarin
submit subway subzero succes success success1 suckcock suckdick sucker suckers suckit suckme suckmydick sugar1 sugars
suikoden sukebe sultan summer summer01 summer1 summer12 summer69 summer99 summerti summertime summit sunbeam sunbird
sundance sunday sunderla sundevil sundown sunfire sunflowe sunflower sunita sunkist sunlight sunny1 sunnyday sunrise
sunrise1 sunset sunshin sunshine sunshine1 suntzu super1 super12 super123 superb superbow superboy superdup superfly
superma superman superman1 supernov supernova supers supersonic supersta superstar surfer surfer1 surfin surfing
surfsup surveyor survivor susan1 sushi1 susieq suslik suzuki sverige svetik svetka svetlana svetlanka svoboda swallow
swallows swampy swanky swatch sweeper sweeps sweet1 sweet16 sweetass sweethea sweetnes sweetness sweetpea sweets
sweety swifty swimmer swimming swinger swingers swinging swoosh swordfis swordfish swords sydney sydney1 sylvania
sylveste syncmaster synergy syracuse syrinx sysadmin system1 system32 syzygy szevasz tabasco tacobell tacoma tadpole
taekwond taekwondo tagheuer tahiti tahoe1 taichi tailgate taipan takamine takashi talgat talisman tamerlan tammy1
tampabay tamuna tanechka tangerin tango1 tanker tantra tanya1 tarakan tarantul tardis target tarheel tarheels tarpon
tartan tarzan tasha1 tashkent tatarin tatian tatjana tattoo tatyana taurus taxman taylor1 taylor12 tazdevil tazman
tazmania tdutybq tdutybz teabag teacher teacher1 teamwork teapot teaser technics techno tecumseh teddy1 teddyb
teddybea teddybear teejay teenie teensex tekken telecast telecom telefon telephon televizor temp123 temp1234 tempest
templar temppass temptress tenchi tenerife tennesse tennis tennis1 tenpin tequier tequiero tequila terefon terminat
terminator termite terran terrapin terrier terriers terror terry1 test11 test12 test123 test1234 tester testibil
testing testing1 testme testpass tetris tetsuo teufel texaco texans texas1 texas2 texass thailand thanatos thankyou
thanos thatsme thebear thebeast thebes thebest thebomb theboss theboys thecat theclash thecrow thecure thedog thedon
thedoors thedude theduke theedge theend theflash theforce thegame thegreat thejoker thekid theking thelast1 theman
theman1 thematri thematrix theone theraven therion therock therock1 thesaint theshit thesims thetachi thething
thetruth thewall thewho theworld thierry thinker thinkpad thirdeye thirteen thisisit thissuck thistle thomas01 thomas1
thomas12 thomas2 thongs thorsten thrawn three3 threesom thuglife thumbnils thumbs thumper thumper1 thunder thunder1
thunderb thunderbird thunders thx1138 tiamat tiberian tiberius tiburon tickle tickler tickling ticklish ticktock
tictac tiedup tiffan tiffany1 tiger1 tiger123 tiger2 tiger7 tigercat tigers tigers1 tigerwoo tigger tigger01 tigger1
tigger12 tigger2 tightass tights tigress tim123 timber timelord timeout timmy1 timosha timothy1 timoxa94 tinker
tinker1 tinkerbe tinkerbell tinman tintin tipper tippy1 tiptop tiramisu titan1 titanic titanic1 titanium titans
titfuck tities titleist titlover titman titten titties tittys tkbpfdtnf tkfkdg tkfkdgo toaster toasty tobydog today1
toejam toffee toggle tokiohotel tolkien tom123 tomahawk tomate tomato tomboy tomcat tommy1 tommyboy tomservo tonyhawk
toobad toocool toohot tookie toolbox toolman tooltime toomuch toonarmy toonces tooshort toosweet tootie tootsie topcat
topdog topgun tophat topher topolino topper topsecre topsecret topspin toriamos torino tornado toronto toronto1
torrent tortoise tortuga toshiba toshiba1 tosser totoro tottenha tottenham touchdow touchme toulouse toyota toyota1
tracer tracker tractor tracy1 trader trader12 trafford trailers train1 trainer traktor tralala trample trance tranny
transam transam1 transexual transfor translator trapper trashman travel traveler travelle travis1 treacle treasure
treble trebor treefrog treetop trekker tremere trfnthbyf triangle tricky trident trigger trigger1 trigun trinitro
trinitron trinity trinity1 trinket tripleh triplets triplex tripod tripper tristan1 tristar triton triumph trivia
trixie trojan trojans trojans1 trombone trooper trooper1 trouble trouble1 trousers trout1 trouts truck1 trucker
trucker1 truckers truckin trucking trucks trueblue truelove truffle truffles trumpet trumpet1 trunks trust1 trustme
trustn01 trustno trustno1 tryagain tsunami tuborg tucker1 tucson tuesday tugboat tugger tujhrf tulane tulips tunafish
tundra tuning tupelo turbo1 turbos turk182 turkey turkey50 turnip turtle turtle1 turtles tuxedo tweety twiggy twilight
twingo twinkie twinkle twins2 twisted twister twiztid twodogs twostep tycoon tyler1 tylers typhoon tyrant tyson1
ub6ib9 ubnfhf udacha ufhvjybz ufkbyf uhbujhbq ukraina ultima ultimate ultraman ultras umbrella umpire uncencored
undead underdog undertak undertaker undertow unicorn unicorn1 united1 universa universi unreal uptown upyours uranus
urlaub ursitesux usa123 usarmy user345 username usmarine usmc0311 usnavy usuckballz1 utahjazz utjhubq utopia utvols
uzumymw vacation vader1 vadimka vagabond vagina valdemar valdepen valentin valentina valera valeriya valhalla valkyrie
valleywa vampir vampire vampire1 vampyre vancouve vandal vaness vanessa1 vangogh vanguard vanhalen vanilla vantage
varvara vaseline vasilisa vasiliy vatoloco vauxhall vaz21099 vbhevbh vbienrf vbifyz vbkbwbz vbkfirf vbkfyf vector
vectra vedder vegas1 vegas123 vegeta vegita vegitta vegitto vehpbr velcro velvet vendetta venera venezuel venus1
vepsrf verbatim vergeten veritas verity verizon vermont vermont1 veronic veronika versace vertigo verygood vesper
vette1 vfcnth vfczyz vfhbirf vfhbyf vfhbyjxrf vfhbyrf vfhecz vfhnsirf vfhrbp vfhufhbnf vfhujif vfibyf vfiekz vfitymrf
vfkbyf vfksirf vflfufcrfh vfnbkmlf vfndtq vfnhbwf vfntvfnbrf vfpfafrf vfr750 vfrcbv vfrcbvrf vfvekz vfvfgfgf
vfvfvskfhfve vfvjxrf vfylfhby vh5150 viagra vibrate vicecity victor1 victori victory victory1 video1 videoes viewsoni
viewsonic viking viking1 vikings vikings1 viktor viktoria viktoriya vincen vincent1 vintage violator violetta violin
viper1 viper123 vipergts vipers virago virgin virgini virginie virtua vision vitalik vitaliy vitamin vittorio vivaldi
vivitron vjcrdf vjkjrj vjqgfhjkm vkontakte vlad1996 vladik vladimir vladislav vladvlad vodafone voetbal voiture voland
volcom volkodav volkov volkova volkswag volkswagen volley volleyba volodin volodya voltaire voltron volvo1 voodoo
voodoo1 vorlon vorona vortex vostok voyager voyager1 voyeur vqsablpzla vsegda vsijyjr vsjasnel12 vthctltc vtldtlm
vulcan vulture vwgolf w00t88 w1w2w3w4 w4g8at w_pass wachtwoord waffenss waffle wakeup waldo1 walker1 walkman wallace1
walleye wally1 walmart walnut walrus walter1 wanderer wanker wanking wannabe wanrltw wantit wapapapa wapbbs warcraft
warcraft1 warcraft3 wareagle warehous wargames warhamme warhammer warhawk warhol warlock warlord warpten warrior
warrior1 warriors warthog warzone wasabi wasdwasd washingt wasser wassup watashi watcher water1 water123 waterboy
waterfal waterloo watermelon waterpolo waterski watford wayne1 wazzup wdtnjr wdtnjxtr weare138 weasel webcam webhompas
webmaste webmaster websol76 websolutions wednesda weeble weed420 weenie weezer welcom welcome welcome1 welcome123
welcome2 welder welkom wellhung wellingt wendy1 wendys werder werdna werewolf werter wertzu westcoast westham westham1
westie westlife westside westwood wetpussy wetter wg8e3wjf whaler whales whateve whatever whatever1 whatsup whatthe
whatthefuck whatup wheels whiplash whiskers whiskey whiskey1 whisky whisper whistler white1 whiteboy whiteout whitesox
whitey whitney1 whkzyc whoami whocares whodat whoknows whoopass whopper whores whosyourdaddy whynot wibble wiccan
wicked wicked1 widget wiggles wildbill wildcard wildcat wildcat1 wildcats wildfire wildman wildone wildwood willem
william1 william2 willie1 willow willow1 willy1 willys wilson1 winamp winchest windmill windows windows1 windsor
windstar windsurf wingchun wingman wingnut wingzero winner winner1 winston winston1 winter winter1 winter12 winter99
wipeout wisconsi wisdom wiseguy wishbone wizard wizard1 wizards wizzard wobble wolf359 wolfen wolfgang wolfie wolfman
wolfpac wolfpack wolverin wolverine wolves wolvie womans wombat wonderboy wonderfu wonton woodie woodland woodstoc
woodstock woodwork woody1 woofer woofwoof woohoo wookie wordpass wordup world1 worldcup wormix wowser wp2003wp wraith
wrangler wrench wrestle wrestlin wrinkle1 wrinkles wsxedc wsxqaz wsxzaq wtpfhm wutang www123 wxcvbn wysiwyg wyvern
x72jhhu3z xanadu xantia xavier xavier1 xbox360 xboxlive xerxes xfactor xfiles xrated xsw21qaz xterra xthtgfirf xtreme
xxx123 xxx666 xxx777 xxxpass xxxxx1 xxxxxx1 xxxzzz xytfu7 xyz123 yackwin yahweh yamaha yamaha1 yamahar1 yamahar6
yamato yankee yankee1 yankees yankees1 yankees2 yanks1 yannick yardbird yaroslav ybrbnf ybrbnjc ybrjkfq yeahbaby
year2005 yecgaa yellow yellow1 yendor yeshua yessir yesterda yfafyz yfcntyf yfcntymrf yfhenj yfnfif yfnfirf yfnfitymrf
yfnfkb yfnfkbz yfnfkmz yinyang yitbos yjdsqgfhjkm yjdsqujl yngwie yogibear yomama yomomma yorkie yorkshir yorktown
yosemite youandme youknow young1 yourmama yourmom yousuck yoyoma ytngfhjkz ytrewq ytrhjvfyn ytyfdbcnm yugioh yuliya
yummy1 yxcvbn yxcvbnm yyyyyy1 yzerman z12345 z123456 z1x2c3 z1x2c3v4 z1x2c3v4b5 zachary1 zalupa zamboni zanzibar
zaphod zappa1 zapper zaq123 zaq12345 zaq12wsx zaq1xsw2 zaq1xsw2cde3 zaqwsx zaqwsxcde zaqxsw zaqxswcde zaraza zardoz
zarina zasada zaxscd zaxscdvf zcxfcnkbdf zealots zebra1 zebras zelda1 zenith zephyr zeppelin zepplin zerocool zhenya
zhjckfd zhuang zidane ziggy1 zigzag zildjian zinger zipper zippy1 zodiac zoloto zolushka zombie zoomer zooropa zorglub
zorro1 zvezda zxasqw zxasqw12 zxc123 zxcasd zxcasdqwe zxcasdqwe123 zxccxz zxcv123 zxcv1234 zxcvasdf zxcvb1 zxcvb123
zxcvb12345 zxcvbn zxcvbn1 zxcvbnm zxcvbnm1 zxcvbnm123 zxcvvcxz zydfhm zyjxrf zz8807zpl zzxxcc zzz111 zzz123 zzzxxx
zzzzz1 zzzzzz1
`
    .trim()
    .split(/\s+/),
);
