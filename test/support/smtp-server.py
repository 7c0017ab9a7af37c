"""A mail server for tests, by Debian's aiosmtpd. The recipient's first word says how it is answered.

Each mail that it takes is printed as a line of JSON. Arguments: the port, and a password to require or nothing.
"""

import json
import sys

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult

seen = set()


class Answers:
    async def handle_RCPT(self, server, session, envelope, address, options):
        word = address.split("-")[0]
        if word == "refused":
            return f"550 5.1.1 <{address}>: there is no such mailbox"
        if word == "greylisted" and address not in seen:
            seen.add(address)
            return "451 4.7.1 Greylisted, come back later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if envelope.rcpt_tos[0].startswith("full-"):
            return "452 4.2.2 the mailbox is full"
        text = envelope.content.decode("utf-8")
        print(json.dumps({"from": envelope.mail_from, "to": envelope.rcpt_tos, "text": text}), flush=True)
        return "250 taken"


def checked(server, session, envelope, mechanism, given):
    return AuthResult(success=given.password.decode() == sys.argv[2], handled=False)


class Server(Controller):
    def factory(self):
        if len(sys.argv) < 3:
            return SMTP(self.handler, enable_SMTPUTF8=True)
        return SMTP(self.handler, authenticator=checked, auth_required=True, auth_require_tls=False)


server = Server(Answers(), hostname="127.0.0.1", port=int(sys.argv[1]), ready_timeout=60)
server.start()
print(json.dumps({"listening": True}), flush=True)
# It ends with its parent.
sys.stdin.read()
server.stop()
