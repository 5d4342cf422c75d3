/**
 * Domains under which anyone can have a mailbox: free mail, and the mail that access providers give their customers. The
 * best-known ones stand in giants.ts, which also protects them. This list is our own: published ones mix in company
 * sites, and a wrong entry would call an employee's address a private one.
 */
export const FREE_MAIL_DOMAINS: readonly string[] = words(`
  yahoo.ie yahoo.gr yahoo.pl yahoo.ro yahoo.se yahoo.no yahoo.dk yahoo.nl yahoo.be yahoo.at yahoo.ch yahoo.pt yahoo.cz
  yahoo.hu yahoo.fi yahoo.com.sg yahoo.com.my yahoo.com.ph yahoo.com.vn yahoo.com.tr yahoo.com.co yahoo.com.pe
  yahoo.com.ve yahoo.com.cn yahoo.cn yahoo.cl yahoo.co.id yahoo.co.th yahoo.co.nz yahoo.co.za yahoo.co.kr myyahoo.com
  hotmail.be hotmail.nl hotmail.se hotmail.no hotmail.dk hotmail.fi hotmail.gr hotmail.ca hotmail.at hotmail.ch
  hotmail.ru hotmail.cl hotmail.hu hotmail.cz hotmail.ro hotmail.sg hotmail.my hotmail.com.au hotmail.com.br
  hotmail.com.ar hotmail.com.mx hotmail.com.tr hotmail.co.jp hotmail.co.nz hotmail.co.za hotmail.co.th hotmail.co.id
  live.be live.ca live.dk live.se live.no live.fi live.de live.at live.it live.ie live.in live.jp live.cn live.hk live.cl
  live.ru live.co.za live.com.mx live.com.ar live.com.pt live.com.sg live.com.my live.com.ph windowslive.com msn.co.uk
  outlook.at outlook.be outlook.cl outlook.cz outlook.dk outlook.hu outlook.ie outlook.in outlook.kr outlook.lv
  outlook.my outlook.ph outlook.pt outlook.sa outlook.sg outlook.sk outlook.com.ar outlook.com.au outlook.com.br
  outlook.com.gr outlook.com.tr outlook.com.vn outlook.co.id outlook.co.il outlook.co.th
  aol.de aol.fr aol.it aol.es aol.jp love.com ygm.com netscape.net netscape.com compuserve.com cs.com
  gmx.fr gmx.it gmx.es gmx.us gmx.eu gmx.li gmx.org gmx.info gmx.biz caramail.com
  usa.com myself.com consultant.com post.com europe.com asia.com iname.com writeme.com dr.com engineer.com cheerful.com
  accountant.com techie.com linuxmail.org lawyer.com uymail.com contractor.net workmail.com chef.net doctor.com
  musician.org journalist.com programmer.net financier.com photographer.net teachers.org therapist.net salesperson.net
  publicist.com representative.com execs.com socialworker.net graphic-designer.com hairdresser.net repairman.com
  legislator.com minister.com politician.com registerednurses.com scientist.com secretary.net technologist.com
  webname.com collector.org comic.com cyberdude.com cybergal.com deliveryman.com diplomats.com fireman.net
  gardener.com geologist.com groupmail.com hilarious.com homemail.com hot-shot.com housemail.com humanoid.net
  inorbit.com insurer.com instruction.com instructor.net irelandmail.com israelmail.com italymail.com keromail.com
  kittymail.com koreamail.com lobbyist.com loveable.com mexicomail.com mindless.com moscowmail.com munich.com muslim.com
  net-shopping.com null.net nycmail.com optician.com orthodontist.net pediatrician.com petlover.com physicist.net
  planetmail.com planetmail.net polandmail.com presidency.com priest.com protestant.com qualityservice.com
  radiologist.net realtyagent.com reborn.com rescueteam.com safrica.com saintly.com sanfranmail.com songwriter.net
  soon.com spainmail.com surgical.net swedenmail.com swissmail.com tech-center.com torontomail.com tvstar.com umpire.com
  whoever.com bartender.net bikerider.com brew-master.com catlover.com chemist.com columnist.com
  computer4u.com counsellor.com dublin.com galaxyhit.com arcticmail.com artlover.com
  auctioneer.net australiamail.com berlin.com boardermail.com ihateclowns.com innocent.com
  protonmail.ch tutanota.de tutamail.com keemail.me mailfence.com disroot.org riseup.net autistici.org kolabnow.com
  vivaldi.net murena.io e.email librem.one skiff.com safe-mail.net countermail.com lavabit.com atomicmail.io mail.de
  email.de mykolab.com ctemplar.com inbox.com usa.net excite.com lycos.com lycos.co.uk lycos.de lycos.es lycos.it
  mail2world.com fastmail.co.uk fastmail.net fastmail.us fastmail.de sent.com fastem.com mailc.net mail.ee zoho.in zoho.eu
  talktalk.co.uk tiscali.co.uk virgin.net freeserve.co.uk o2.co.uk btopenworld.com lineone.net supanet.com onetel.com
  plus.com madasafish.com fsmail.net uwclub.net eircom.net iol.ie indigo.ie
  online.de onlinehome.de kabelmail.de vodafonemail.de unitybox.de o2online.de firemail.de magenta.de
  alice-dsl.net netcologne.de osnanet.de ewe.net ewetel.net aon.at a1.net chello.at utanet.at liwest.at inode.at
  hispeed.ch sunrise.ch bluemail.ch swissonline.ch hetnet.nl chello.nl casema.nl quicknet.nl upcmail.nl xs4all.nl
  zonnet.nl tele2.nl online.nl kpnplanet.nl zeelandnet.nl solcon.nl caiway.nl proximus.be scarlet.be voo.be
  club-internet.fr numericable.fr bbox.fr cegetel.net aliceadsl.fr voila.fr noos.fr 9online.fr
  tim.it fastwebnet.it iol.it poste.it inwind.it blu.it email.it supereva.it teletu.it interfree.it
  telefonica.net ono.com terra.es ya.com movistar.es jazztel.es euskaltel.net wanadoo.es hispavista.com
  netcabo.pt iol.pt clix.pt meo.pt mail.telepac.pt telia.com comhem.se bredband.net tele2.se spray.se home.se
  glocalnet.net online.no broadpark.no getmail.no start.no c2i.net mail.dk stofanet.dk jubii.dk ofir.dk
  luukku.com kolumbus.fi suomi24.fi pp.inet.fi elisanet.fi saunalahti.fi
  op.pl vp.pl poczta.onet.pl poczta.fm tlen.pl buziaczek.pl go2.pl interia.eu autograf.pl spoko.pl onet.eu
  email.cz post.cz atlas.cz volny.cz sweb.cz centrum.sk azet.sk zoznam.sk post.sk
  freemail.hu citromail.hu indamail.hu vipmail.hu t-online.hu upcmail.hu mail.bg dir.bg lex.bg
  otenet.gr forthnet.gr hol.gr freemail.gr mail.gr mynet.com ttmail.com superonline.com inbox.lv inbox.lt hot.ee apollo.lv
  pochta.ru hotbox.ru yandex.by yandex.kz yandex.ua narod.ru ro.ru autorambler.ru myrambler.ru newmail.ru
  mail.ua meta.ua bigmir.net email.ua online.ua
  tom.com vip.163.com vip.qq.com 188.com wo.cn sogou.com 263.net netvigator.com pchome.com.tw hinet.net
  biglobe.ne.jp ocn.ne.jp so-net.ne.jp plala.or.jp excite.co.jp i.softbank.jp au.com ymobile.ne.jp yahoo.ne.jp
  korea.com dreamwiz.com empas.com paran.com hanmir.com rediff.com in.com vsnl.net singnet.com.sg tm.net.my
  streamyx.com vnn.vn telkom.net pldtdsl.net walla.com netvision.net.il bezeqint.net 012.net.il zahav.net.il maktoob.com
  webmail.co.za mweb.co.za telkomsa.net vodamail.co.za ananzi.co.za
  bigpond.net.au ozemail.com.au tpg.com.au westnet.com.au internode.on.net dodo.com.au adam.com.au aapt.net.au
  iprimus.com.au slingshot.co.nz clear.net.nz paradise.net.nz ihug.co.nz orcon.net.nz
  cogeco.ca videotron.ca bell.net eastlink.ca mts.net sasktel.net nb.sympatico.ca
  roadrunner.com rr.com twc.com windstream.net centurylink.net centurytel.net embarqmail.com mindspring.com
  suddenlink.net cableone.net mchsi.com tds.net wowway.com rcn.com pacbell.net swbell.net ameritech.net snet.net
  flash.net prodigy.net q.com qwest.net optimum.net hawaiiantel.net zoominternet.net frontiernet.net fuse.net ptd.net
  terra.com terra.cl terra.com.mx uol.com.ar fibertel.com.ar speedy.com.ar arnet.com.ar ciudad.com.ar prodigy.net.mx
  oi.com.br zipmail.com.br superig.com.br ibest.com.br pop.com.br brturbo.com.br adinet.com.uy une.net.co etb.net.co
  cantv.net vtr.net
`)

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}
