/**
 * Names people bear, in the letters mailboxes allow: first names and surnames of many languages, in no order of weight.
 * Written for this project. They teach local-part.ts which letters follow one another in names, so that a rare language
 * is not taken for chance; they are not a list of known people.
 */
export const NAMES: readonly string[] =
  // English, Scottish, Irish, Welsh
  (
    'james mary robert patricia john jennifer michael linda william elizabeth david barbara richard susan joseph jessica ' +
    'thomas sarah charles karen christopher nancy daniel lisa matthew betty anthony margaret mark sandra donald ashley ' +
    'steven kimberly paul emily andrew donna joshua michelle kenneth dorothy kevin carol brian amanda george melissa ' +
    'edward deborah ronald stephanie timothy rebecca jason sharon jeffrey laura ryan cynthia jacob kathleen gary amy ' +
    'nicholas angela eric shirley jonathan anna stephen brenda larry pamela justin emma scott nicole brandon helen ' +
    'benjamin samantha samuel katherine gregory christine alexander debra frank rachel raymond lynn jack maria dennis ' +
    'heather jerry diane tyler ruth aaron julie jose olivia adam joyce nathan virginia henry victoria zachary kelly ' +
    'smith johnson williams brown jones miller davis wilson anderson taylor moore jackson martin lee thompson white ' +
    'harris clark lewis robinson walker young allen king wright torres hill scott green baker adams nelson hall campbell ' +
    'mitchell carter roberts phillips evans turner parker edwards collins stewart morris murphy cook rogers morgan ' +
    'cooper peterson bailey reed kelly howard ward cox richardson watson brooks bennett gray hughes price myers long ' +
    'foster sanders ross morales powell sullivan russell jenkins perry butler barnes fisher henderson coleman simmons ' +
    'patterson jordan reynolds hamilton graham griffin wallace west cole hayes bryant gibson ellis stevens ford marshall ' +
    'owens mcdonald harrison woods kennedy wells vaughn knight bradshaw whitfield thornton birch hawthorne mcgregor ' +
    'macdonald mclaughlin mccarthy obrien oconnor oneill fitzpatrick gallagher doherty byrne quinn niamh aoife siobhan ' +
    'cian eoghan padraig sinead llewellyn gwyn rhys dylan angharad myfanwy gruffydd ieuan griffiths pryce lloyd llwyd llywelyn gryffydd gwynedd crwys tadhg caoimhe saoirse wyn bryn ' +
    // German, Swiss, Austrian, Dutch, Flemish
    'hans jurgen juergen klaus wolfgang dieter horst uwe ulrich manfred gunther guenther heinz karl friedrich wilhelm ' +
    'ernst ludwig sebastian tobias florian matthias stefan andreas bernd sven jens lars thorsten katrin ursula ingrid ' +
    'monika sabine petra heike birgit gisela renate brigitte anneliese lieselotte mueller schmidt schneider fischer weber ' +
    'meyer wagner becker schulz hoffmann schaefer koch bauer richter klein wolf schroeder neumann schwarz zimmermann ' +
    'braun krueger hofmann hartmann lange schmitt werner krause lehmann koehler herrmann walter koenig huber kaiser fuchs ' +
    'peters scholz moeller weiss jung hahn schubert vogel friedrich keller guenther frank berger winkler roth beck lorenz ' +
    'baumann franke albrecht schuster simon ludwig boehm winter kraus martin schumacher kraemer vogt stein jaeger otto ' +
    'sommer gross seidel heinrich brandt haas schreiber graf dietrich ziegler kuhn kuehn pohl engel horn busch bergmann ' +
    'pfeiffer wirth knecht strauss gschwend zuercher hirschfeld pfister zwingli jansen devries vandenberg bakker visser ' +
    'smit meijer deboer mulder degroot bos vos peeters hendriks vanleeuwen dekker brouwer dewit dijkstra smits degraaf ' +
    'vandermeer vanderlinden kok jacobs vanvliet hoekstra schouten willems verhoeven wouters mertens janssens maes ' +
    'claes goossens wijnants thijs gijs joost pieter willem jeroen maarten sjoerd tjitske femke anouk liesbeth marijke ' +
    // French, Italian, Spanish, Portuguese, Catalan, Basque, Latin American
    'jean pierre michel philippe nathalie isabelle sylvie catherine francoise jacques nicolas julien guillaume thierry ' +
    'benoit mathieu aurelie camille chloe margaux gaelle dubois durand leroy moreau simon laurent lefebvre michel bertrand ' +
    'roux vincent fournier morel girard andre mercier dupont lambert bonnet francois martinez legrand garnier faure ' +
    'rousseau blanc guerin muller boyer chevalier gauthier perrin robin clement morin henry lecomte beaulieu giuseppe ' +
    'giovanni francesco antonio alessandro lorenzo matteo chiara giulia francesca paola elena luca marco rossi russo ' +
    'ferrari esposito bianchi romano colombo ricci marino greco bruno gallo conti deluca mancini costa giordano rizzo ' +
    'lombardi moretti barbieri fontana santoro mariani rinaldi caruso ferrara galli martini leone longo gentile ' +
    'martinelli vitale guglielmo sforza zanotti tedesco licitra pession luconi jose juan carlos luis miguel angel manuel ' +
    'francisco pedro alejandro fernando jorge ricardo eduardo sergio alberto javier rafael daniela gabriela guadalupe ' +
    'veronica alejandra beatriz rocio garcia rodriguez gonzalez fernandez lopez martinez sanchez perez gomez martin ' +
    'jimenez ruiz hernandez diaz moreno alvarez munoz romero alonso gutierrez navarro torres dominguez vazquez ramos gil ' +
    'ramirez serrano blanco molina morales suarez ortega delgado castro ortiz rubio marin sanz iglesias medina cortes ' +
    'castillo garrido guerrero lozano cano prieto mendez cruz calvo gallego vidal herrera pena flores cabrera campos vega ' +
    'fuentes carrasco quispe huaman mamani xochitl cuauhtemoc itzel citlali goikoetxea etxeberria agirre urrutia silva ' +
    'santos oliveira souza lima pereira costa almeida nascimento alves carvalho araujo ribeiro cardoso rocha dias nunes ' +
    'barbosa teixeira moreira correia pinto magalhaes guimaraes joao thiago luiz antonia adriana fernanda juliana ' +
    // Nordic, Finnish, Baltic; some as they are left when a program drops the letters that ASCII lacks
    'bjrn asbjrn torbjrn stjrne sren srensen jrgen jrgensen kjrgaard mller strm strmberg grn hjbjerg skjld srlie bjrnstad ' +
    'lars erik anders johan karl nils per mikael fredrik bjorn kjell hjalmar torbjorn sigurd gunnar ragnar ingrid astrid ' +
    'solveig bodil gudrun johansson andersson karlsson nilsson eriksson larsson olsson persson svensson gustafsson ' +
    'pettersson jonsson jansson hansson bengtsson jonasson lindberg jakobsson magnusson olofsson lindstrom lindqvist ' +
    'lindgren berglund fredriksson sandberg henriksson forsberg sjoberg wallin engstrom danielsson lundin hakansson ' +
    'bjork bergman wikstrom isaksson fransson bergqvist nystrom holmberg arvidsson lofgren soderberg nyberg blomqvist ' +
    'hansen johansen olsen larsen andersen pedersen nilsen kristiansen jensen karlsen johnsen pettersen eriksen berg ' +
    'haugen hagen johannessen andreassen jacobsen halvorsen dahl jorgensen henriksen lund sorensen jakobsen moen ' +
    'gundersen iversen svendsen strand solberg martinsen paulsen knutsen eide bakken kristoffersen mathisen lie amundsen ' +
    'nguyen rasmussen kjaer kjeldsen skov thygesen bjerregaard hjort gudmundsson sigurdsson thorsteinsson jonsdottir ' +
    'korhonen virtanen makinen nieminen makela hamalainen laine heikkinen koskinen jarvinen lehtonen lehtinen saarinen ' +
    'salminen heinonen niemi heikkila kinnunen salonen turunen salo laitinen tuominen rantanen karjalainen jokinen ' +
    'mattila savolainen lahtinen ahonen ojala leppanen kallio hiltunen leinonen vaisanen pitkanen hyvonen tyyne yrjola ' +
    'kyosti jyri pyry syrjanen nyyssonen ryynanen pyykko hyytiainen tyynela kyyro lyytinen tamm saar sepp kask kukk rebane ilves parn koppel berzins kalnins ozols ' +
    'jansons kazlauskas petrauskas jankauskas zukauskas butkus vytautas jonas gintaras giedrius zydrunas ' +
    // Polish, Czech, Slovak, Sorbian
    'anna piotr krzysztof andrzej jan tomasz pawel marcin michal jakub adam grzegorz mateusz wojciech zbigniew jerzy ' +
    'stanislaw kazimierz henryk ryszard czeslaw wieslaw miroslaw jaroslaw przemek szczepan malgorzata agnieszka krystyna ' +
    'barbara ewa elzbieta zofia jadwiga danuta halina irena bozena grazyna jolanta wieslawa nowak kowalski wisniewski ' +
    'wojcik kowalczyk kaminski lewandowski zielinski szymanski wozniak dabrowski kozlowski jankowski mazur wojciechowski ' +
    'kwiatkowski krawczyk kaczmarek piotrowski grabowski zajac pawlowski michalski krol wieczorek jablonski wrobel nowakowski ' +
    'majewski olszewski stepien malinowski jaworski adamczyk dudek nowicki pawlak gorski witkowski walczak sikora baran ' +
    'rutkowski michalak szewczyk ostrowski tomaszewski pietrzak zalewski wroblewski marciniak jasinski zawadzki bak ' +
    'jakubowski sadowski duda chmielewski wlodarczyk borkowski czarnecki sawicki sokolowski urbanski kubiak maciejewski ' +
    'szczepanski kucharski wilk kalinowski lis mazurek wysocki adamski kazmierczak wasilewski sobczak czerwinski ' +
    'andrzejewski cieslak glowacki zakrzewski kolodziej sikorski krajewski gajewski szymczak szulc baranowski laskowski ' +
    'brzezinski makowski ziolkowski przybylski domanski nowacki borowski blaszczyk chojnacki ciesielski mroz szczepaniak ' +
    'wesolowski gorecki krupa kaczmarczyk leszczynski lipinski kowalewski urbaniak kozak kania mikolajczyk czajkowski ' +
    'mucha tomczak koziol markowski kowalik nawrocki brzozowski janik musial wawrzyniak orlowski tomczyk jarosz grzybowski ' +
    'jedrzejewski strzelecki gwiazda dziedzic bednarczyk trzaska krzeminski chrzastek wdowiak zdrojewski szostak jirsa ' +
    'skrzypek przybysz strzyzewski dzierzynski mscislaw vaclav jaroslav zdenek miroslav frantisek jiri ladislav stanislav ' +
    'milan vladimir bohumil vojtech stepan zdenka vlasta jitka kvetoslava bretislav drahomira novotny svoboda dvorak cerny ' +
    'prochazka kucera vesely horak nemec marek pospisil pokorny hajek kral jelinek ruzicka benes fiala sedlacek dolezal ' +
    'zeman kolar navratil cermak vanek urban blazek kriz kovar kratochvil bartos vlk polak musil kopecky simek konecny ' +
    'maly holub stanek kadlec dostal soukup stastny mares moravec sykora tichy valenta vavra matousek blaha riha bures ' +
    'hruska masek prusa kubat hlavac srnka krejci krizek trcka vrba vrana hrncir brychta krchov smrcek hrubes ctibor ' +
    'chvatal skvrna strnad hrbacek kvetonova sochorova cernohorska zahradnik kovacik hudak balog lukac hric krajcir ctvrtnik ctvrtek ctvrtecka srb prkno smrz zbynek ' +
    // Hungarian, Romanian, South Slavic, Albanian, Greek
    'laszlo istvan jozsef gyorgy zoltan sandor ferenc gabor attila peter tamas zsolt gyula mihaly erzsebet zsuzsanna ' +
    'katalin ilona eszter agnes judit nagy kovacs toth szabo horvath varga kiss molnar nemeth farkas balogh papp takacs ' +
    'juhasz lakatos meszaros olah simon racz fekete szilagyi torok feher balazs gal szucs kocsis orsos pinter fodor szalai ' +
    'sipos magyar lukacs gulyas biro kiraly laszlo katona jakab bogdan boros kelemen somogyi antal hegedus vincze ' +
    'szekely kozma gyorfi zsiros csonka szentes nyari gyimesi popescu ionescu popa radu dumitru stan stoica gheorghe matei ' +
    'ciobanu constantin rusu munteanu lazar florea andrei ion mihai ioana gabriela zsigmond marko nikola ivan luka josip ' +
    'hrvoje zvonimir tomislav branimir krunoslav vjekoslav srdjan dragan zoran milos nemanja vuk dusan stojan bozidar ' +
    'ljubica snezana biljana dragica svetlana horvat kovacevic babic maric juric novak kovacic knezevic vukovic markovic ' +
    'petrovic matic tomic pavlovic kovac bozic blazevic grgic pavic radic peric filipovic saric lovric vidovic perkovic ' +
    'popovic bosnjak jukic barisic jovanovic nikolic djordjevic stojanovic ilic stankovic milosevic zivkovic krstic ' +
    'simic mladenovic trajkovski brkic crnogorac vrban trbovc zupancic hribar krajnc mlakar zgonc hrastnik drvaric skrlj ' +
    'vrhovnik strgar ivanov georgiev dimitrov petrov nikolov hristov stoyanov todorov iliev angelov hoxha shehu prifti ' +
    'gjoka krasniqi gashi berisha papadopoulos pappas georgiou dimitriou nikolaidis vasileiou konstantinos dimitrios ' +
    'giorgos yannis eleftheria aikaterini chrysanthi spyros ' +
    // Russian, Ukrainian, Belarusian, Caucasian, Central Asian
    'aleksandr sergey vladimir andrey alexey dmitry nikolay mikhail evgeny yury viktor vyacheslav svyatoslav yaroslav ' +
    'vsevolod lyubov lyudmila svetlana nadezhda ekaterina natalya olga tatyana ksenia ivanov smirnov kuznetsov popov ' +
    'vasiliev petrov sokolov mikhailov novikov fedorov morozov volkov alekseev lebedev semenov egorov pavlov kozlov ' +
    'stepanov nikolaev orlov andreev makarov nikitin zakharov zaitsev soloviev borisov yakovlev grigoriev romanov vorobiev ' +
    'sergeev kuzmin frolov aleksandrov dmitriev korolev gusev kiselev ilyin maksimov polyakov sorokin vinogradov kovalev ' +
    'belov medvedev antonov tarasov zhukov baranov filippov komarov davydov belyaev gerasimov bogdanov osipov sidorov ' +
    'matveev titov markov mironov krylov kulikov karpov vlasov melnikov denisov gavrilov tikhonov kazakov afanasiev ' +
    'danilov saveliev timofeev fomin chernov abramov martynov efimov fedotov shcherbakov nazarov kalinin isaev chernyshev ' +
    'bykov maslov rodionov konovalov lazarev voronin klimov filatov ponomarev golubev kudryavtsev prokhorov naumov ' +
    'potapov zhuravlev ovchinnikov trofimov leonov sobolev ermakov kolesnikov goncharov shevchenko kovalenko bondarenko ' +
    'tkachenko kravchenko oliynyk shevchuk koval polishchuk bondar tkachuk moroz marchenko lysenko rudenko savchenko ' +
    'petrenko kravchuk klymenko ponomarenko vasylenko hryhorenko khmelnytsky zhdanovich mkrtchyan grigoryan sargsyan ' +
    'harutyunyan petrosyan hakobyan hovhannisyan vardanyan khachatryan beridze kapanadze gelashvili maisuradze giorgadze ' +
    'lomidze tsiklauri mchedlidze kvaratskhelia mkheidze bolkvadze aliyev mammadov huseynov nurlan aigerim zhanibek ' +
    // Turkish, Arabic, Persian, Kurdish, Hebrew
    'mehmet mustafa ahmet ali huseyin hasan ibrahim ismail osman yusuf murat omer ramazan halil suleyman abdullah fatma ' +
    'ayse emine hatice zeynep elif meryem sultan gulsen gulbahar tugce cagla ozge yilmaz kaya demir sahin celik yildiz ' +
    'yildirim ozturk aydin ozdemir arslan dogan kilic aslan cetin kara koc kurt ozkan simsek polat korkmaz ozcan cakir ' +
    'erdogan yavuz acar aktas gunes bozkurt bulut keskin unal turan gul avci isik kaplan tas tekin guler kose yalcin ' +
    'bektas durmus kahveci akkor karaoglu mohammed muhammad mohamed ahmed mahmoud abdullah abdulrahman abdulaziz khalid ' +
    'faisal fahad sultan nasser saleh hamad majed omar othman hussain haytham mishaal nawaf turki bandar fatima aisha ' +
    'khadijah maryam zainab noura latifa shaikha alghamdi alqahtani alharbi alzahrani alshammari alotaibi aldossari ' +
    'almutairi alshehri almalki aljohani albalawi alanazi alrashidi alhashimi alsaud alshaikh hassan elsayed abdelrahman ' +
    'mostafa elmasry benali bouazza belkacem bouchareb mansouri elidrissi benchekroun bensaid belhaj khelifi trabelsi ' +
    'ghannouchi mhamdi bennani lahlou tazi khoury haddad nasrallah abdallah qureshi siddiqui reza hosseini ahmadi ' +
    'mohammadi karimi moradi jafari rahimi ebrahimi golmohammadi khosravi shahbazi yadollah cohen levi mizrahi peretz ' +
    'biton dahan avraham friedman malka azoulay katz yosef amar ohayon hadad gabay shlomo yitzhak yehuda tzvi tzipi ' +
    // South Asia
    'rahul amit sanjay vijay ajay suresh ramesh rajesh mukesh manish deepak sunil anil vinod pradeep ashok arjun rohit ' +
    'vikram karthik lakshman harish girish jagdish satish dinesh mahesh ganesh priya pooja neha anjali sunita kavita ' +
    'lakshmi saraswathi vaishnavi aishwarya shruti jyoti swati smriti kshitij dhruv dhananjay sharma verma gupta singh ' +
    'kumar patel shah mehta joshi desai trivedi pandey mishra dubey tiwari yadav chauhan rathore shekhawat thakur ' +
    'bhatnagar srivastava agarwal bansal mittal goyal khanna kapoor malhotra chopra bhatia sethi ahluwalia mukherjee ' +
    'chatterjee banerjee bhattacharya ghosh bose dutta chakraborty sengupta majumdar iyer iyengar nair menon pillai reddy ' +
    'rao naidu krishnan subramanian venkataraman raghavan ramachandran natarajan srinivasan balakrishnan krishnamurthy ' +
    'chandrasekaran sivakumar muthusamy palaniswami gopalakrishnan rajagopalan jayawardena wickramasinghe gunawardena ' +
    'bandaranaike ratnayake dissanayake rahman islam hossain chowdhury sarkar uddin mollah sheikh akhtar begum khatun malik ' +
    'butt chaudhry bhutto gurung tamang shrestha adhikari thapa bhandari kshetri wangchuk dorji tshering ' +
    // East and South-East Asia
    'wang li zhang liu chen yang huang zhao wu zhou xu sun ma zhu hu guo he gao lin luo zheng liang xie tang song deng ' +
    'feng han cao zeng peng xiao cai pan tian dong yuan yu jiang du ye cheng wei su lu ding ren shen yao jin fan fang shi ' +
    'tan liao zou xiong jia qin hou bai meng long wan duan qian lei yin kong mao chang shao wen ouyang zhuge xiaoming ' +
    'xiaoyan xiuying guiying yulan fengying lihua jianhua jianguo zhiqiang zhiwei weiguo junjie haoyu zihan zixuan yuxuan ' +
    'xinyi mengyao jiayi ruoxi qiang xue ning bin qing hong hui ying yan ping jun min mei xia chun qiu dongmei xuemei ' +
    'yongjun guoqiang shuang zhen zhong zhuang quan rong ruan xin xing xiang xuan chan wong cheung leung lau cheng yeung ' +
    'tsang kwok tsui kwan mak fung chow tse choi szeto ng tsz wing kwong kim lee park choi jung kang cho yoon jang lim han ' +
    'oh seo shin kwon hwang ahn song ryu hyun hyeon seung sung joon young eun hye kyung hyung myung jihye minjun seoyeon ' +
    'sato suzuki takahashi tanaka watanabe ito yamamoto nakamura kobayashi kato yoshida yamada sasaki yamaguchi saito ' +
    'matsumoto inoue kimura hayashi shimizu yamazaki mori abe ikeda hashimoto ishikawa ogawa goto okada hasegawa fujita ' +
    'kondo sakamoto endo aoki fujii nishimura fukuda ota miura takeuchi hiroshi takashi kenji satoshi tsutomu yuki haruka ' +
    'ryosuke kyoko shunsuke chizuru nguyen tran le pham hoang huynh phan vu vo dang bui do ho ngo duong ly thi van duc ' +
    'huu minh quang anh tuan hung dung thanh trung kien hieu phuong thao linh ngoc huyen trang thuy nhung hong quynh nhu ' +
    'khanh duy khoa long phuc thuy tien nhi yen hanh huong giang nghia nhat vuong truong somchai somsak wichai prasert ' +
    'suphachai chaiwat nattapong kittisak supaporn siriporn wongsakul srisuk phongphan budi agus slamet wahyu joko sri ' +
    'dewi siti nur wulandari kusuma setiawan wijaya santoso susanto hidayat nugroho prasetyo hartono gunawan suryadi ' +
    'ramli yusof abdulrahim delacruz reyes bautista ocampo garcia mendoza pangilinan macaraeg dimaguiba catacutan ' +
    // Africa
    'oluwaseun oluwafemi babatunde adewale olumide temitope ayodele folasade titilayo adebayo adeyemi ogunleye olawale ' +
    'okafor okeke nwosu eze chukwu nnamdi chinedu ikechukwu ngozi chidinma nkechi uchenna ifeanyi obinna emeka ibrahim ' +
    'musa abubakar suleiman garba danjuma kwame kofi kwaku yaw akosua abena mensah owusu boateng asante osei agyeman ' +
    'nkrumah addo appiah sipho thabo themba bongani sibusiso nkosinathi nomvula nokuthula zanele ntombi lindiwe mthunzi ' +
    'mduduzi dlamini nkosi ndlovu khumalo mokoena sithole mthembu ngcobo mahlangu mkhize cele zungu nxumalo tshabalala ' +
    'mthethwa mbatha molefe kgomotso tshepo mpho lerato nthabiseng rapelang moyo ncube sibanda chikwanha tendai tatenda ' +
    'tafadzwa njeri wanjiku kamau mwangi njoroge kariuki otieno odhiambo ochieng kipchoge cheruiyot juma hamisi mwinyi ' +
    'nyerere mbwana tesfaye bekele haile abebe girma tadesse alemu getachew mulugeta diallo traore keita coulibaly diop ' +
    'ndiaye fall gueye mbaye sow ndongo mbappe nguema ondo mvondo tchoupo rakotomalala randrianasolo'
  ).split(' ')
