/** Families of schemes: Windows', Apple's, and those of browsers' own pages and extensions. */
const FAMILIES =
  /^(?:ms-|microsoft[.-]|windows[.-]|bing|x-apple|com\.apple\.|itms|app-prefs|chrome|moz-|web\+)/;

/** IANA's registry of September 2026, without those of the families. */
const REGISTERED = `
  aaa aaas about acap acct acd acr adiumxtra adt aet afp afs agtp aim amss android appdata apt ar ari ark ars at attachment aw
  barion bb beshare bitcoin bitcoincash bl blob bluetooth bolo brid browserext cabal caip calculator callto cap cast casts cid
  cm coap coap+tcp coap+ws coaps coaps+tcp coaps+ws com-eventbrite-attendee content content-type crid cstr cttps cvs dab dat
  data dav dhttp diaspora dict did dilithium3 dis dlna-playcontainer dlna-playsingle dnp dns dntp doi donau dpp drm drop dtmi
  dtn dvb dvx dweb ed2k eid elsi embedded ens esim ethereum example ez facetime fax feed feedready fido file filesystem finger
  first-run-pen-experience fish fm ftp fuchsia-pkg gcx gdsi geo gg git gitoid gizmoproject go gopher graph grd gtalk h323 ham
  hcap hcp hs20 http https hxxp hxxps hydrazone hyper i0 iax ibi ibi- icap icon ilstring im imap info interaction iotdisco ipfs
  ipn ipns ipp ipps irc irc6 ircs iris iris.beep iris.lwz iris.xpc iris.xpcs isostore jabber jar jms keyparc lastfm lbry ldap
  ldaps leaptofrogans lid linkid lorawan lpa lvlt machineprovisioningprogressreporter magnet mailserver mailto maps market
  matrix mdoc mdoc-openid4vp message mid mms modem mongodb moz mqtt mqtts msnim msrp msrps mss mt mtqp mtrust mumble mupdate
  musik mvn mvrp mvrps news nfs ni nih nntp nostr notes npamp num ocf oid onenote onenote-cmd opaquelocktoken openid
  openpgp4fpr otpauth p1 pack palm paparazzi payment payto pkcs11 pkg platform pop pres prospero proxy psyc pttp pwid qb query
  quic-transport redis rediss reload res resource rmi rsync rtmfp rtmp rtsp rtsps rtspu sarif secondlife secret-token service
  session sftp sgn shc shelter shttp sieve simpleledger simplex sip sips skype smb smp sms smtp snews snmp soap.beep soap.beeps
  soldat spacify spiffe spotify ssb ssh sss starknet steam stun stuns submit svn swh swid swidpath tag taler teamspeak teapot
  teapots tel teliaeid telnet tftp things thismessage thzp tip tn3270 tool tttps turn turns tv udp unreal upn upt urn ust ut2004
  uuaid uuid-in-package v-event vemmi ventrilo ves videotex view-source vnc vscode vscode-insiders vsls w3 wais wasm wasm-js wcr
  web3 webcal wifi wpid ws wss wtai wyciwyg xcompute xcon xcon-userid xfire xftp xmlrpc.beep xmlrpc.beeps xmpp xrcp xri ymsgr
  z39.50 z39.50r z39.50s ztdnaid`;

/** Unregistered schemes that browsers, systems or popular programs handle. */
const HANDLED = `
  javascript vbscript livescript mocha mhtml mk its ftps intent android-app android-source googlechrome googlechromes firefox
  firefox-focus opera brave edge vivaldi safari-https x-web-search devtools
  search search-ms shell explorer.exe odopen outlook outlookfeed mailbox zune xbox insiderhub onedrive teams msteams
  microsoftmusic windowsdefender wab ldapbrowser rdp telnets jnlp jnlps applescript x-man-page x-help-action help terminal
  prefs settings shortcuts workflow calshow webcals ical map music musics podcast podcasts pcast videos photos-redirect
  imessage facetime-audio facetime-prompt sms-private telprompt smsto mmsto tg whatsapp viber sgnl signalcaptcha line wechat
  weixin alipay fb fb-messenger instagram discord slack zoommtg zoomus webex gotomeeting
  vscodium code-oss cursor windsurf jetbrains idea pycharm webstorm xcode x-github-client x-github-desktop-auth github-mac
  github-windows sourcetree gitkraken docker-desktop figma notion obsidian evernote raycast postman onepassword
  steambrowser steamlink battlenet origin origin2 uplay roblox roblox-player roblox-studio minecraft nxm
  metamask ledgerlive lightning lnurl acrobat winamp vlc mpv potplayer teamviewer teamviewer8 anydesk rustdesk`;

const SCHEMES = new Set(`${REGISTERED} ${HANDLED}`.trim().split(/\s+/));

/** Whether a browser, system or popular program may handle the scheme, in lower case without its colon. */
export const isHandledElsewhere = (scheme: string): boolean => FAMILIES.test(scheme) || SCHEMES.has(scheme);
