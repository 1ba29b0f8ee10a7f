"""More sheets of the same event as `strangers_sheets`: programs' printouts, club secretaries, forms, pages, mails."""

from __future__ import annotations

MORE: dict[str, str] = {
    "SwissSys standings": (
        "#\tPlace\tName\tID\tRating\tRd 1\tRd 2\tRd 3\tTot\tT-Brk1\tT-Brk2\n"
        "1\t1\tWhitfield, Grace\t30000001\t1850\tW3\tD5\tW2\t2.5\t3\t5.5\n"
        "2\t2-3\tOrlov, Ben\t30000003\t1604\tD5\tW4\tL1\t1.5\t2\t3.5\n"
        "3\t\tLindqvist, Maya\t30000004\t1488\tL1\tH---\tW4\t1.5\t1\t2.5\n"
        "4\t4-5\tHaddad, Noor\t30000005\tnew\tBYE\tL2\tL3\t1\t1\t2\n"
        "5\t\tAkande, Tom\t30000002\t1720\tD2\tD1\tU---\t1\t2\t4\n"
    ),
    "WinTD wall chart": (
        "  #,Name,Club,Rate,Pts,Rnd1,Rnd2,Rnd3\n"
        "  1,Grace Whitfield,DAY,1850,2.5,W  4,D  2,W  3\n"
        "  2,Tom Akande,DAY,1720,1.0,D  3,D  1,-0-\n"
        "  3,Ben Orlov,TOL,1604,1.5,D  2,W  5,L  1\n"
        "  4,Maya Lindqvist,AKR,1488,1.5,L  1,-H-,W  5\n"
        "  5,Noor Haddad,,UNR.,1.0,-B-,L  3,L  4\n"
    ),
    "pasted from Chess-Results": (
        "Final Ranking crosstable after 3 Rounds\n\n"
        "Rk.\tSNo\t\tName\tTyp\tFED\tRtg\t1.Rd\t2.Rd\t3.Rd\tPts.\t TB1 \t TB2 \n"
        "1\t1\tFM\tWhitfield, Grace\t\tUSA\t1850\t 4w1\t 2b½\t 3w1\t2.5\t4.5\t4\n"
        "2\t3\t\tOrlov, Ben\tU16\tUSA\t1604\t 2b½\t 5w1\t 1b0\t1.5\t3\t1\n"
        "3\t4\t\tLindqvist, Maya\t\tSWE\t1488\t 1b0\t -½\t 5w1\t1.5\t2.5\t0\n"
        "4\t2\t\tAkande, Tom\t\tNGR\t1720\t 3w½\t 1w½\t -0\t1\t4\t1\n"
        "5\t5\t\tHaddad, Noor\t\tUSA\t0\t -1\t 3b0\t 4b0\t1\t3\t0\n\n"
        "Annotation:\nTie Break1: Buchholz Tie-Breaks (variabel with parameter)\n"
    ),
    "French program": (
        "Pl;Nom;Elo;Cat.;Rd 1;Rd 2;Rd 3;Pts\n"
        "1;WHITFIELD Grace;1850 F;SenF;+ 4B;= 2N;+ 3B;2½\n"
        "2;AKANDE Tom;1720 N;SenM;= 3B;= 1B;;1\n"
        "3;ORLOV Ben;1604 N;SenM;= 2N;+ 5B;- 1N;1½\n"
        "4;LINDQVIST Maya;1488 N;JunF;- 1N;½;+ 5B;1½\n"
        "5;HADDAD Noor;;PupF;EXE;- 3N;- 4N;1\n"
    ),
    "school teams": (
        "Lincoln Middle School Invitational,,,,,,,\n"
        "Saturday 2 August 2025,,,,,,,\n"
        "No,School,Player,Grade,Rating,R1,R2,R3,Score\n"
        "1,Lincoln,Grace Whitfield,8,1850,W-4,D-2,W-3,2.5\n"
        "2,Lincoln,Tom Akande,7,1720,D-3,D-1,absent,1\n"
        "3,Roosevelt,Ben Orlov,8,1604,D-2,W-5,L-1,1.5\n"
        "4,Roosevelt,Maya Lindqvist,6,1488,L-1,half bye,W-5,1.5\n"
        "5,Home school,Noor Haddad,5,none,full bye,L-3,L-4,1\n"
        "Team scores: Lincoln 3.5 Roosevelt 3.0,,,,,,,\n"
    ),
    "halves as fractions": (
        "Nr;Naam;Rating;1;2;3;Totaal\n"
        "1;Grace Whitfield;1850;1 - 4;½ - 2;1 - 3;2½\n"
        "2;Tom Akande;1720;½ - 3;½ - 1;;1\n"
        "3;Ben Orlov;1604;½ - 2;1 - 5;0 - 1;1½\n"
        "4;Maya Lindqvist;1488;0 - 1;½ bye;1 - 5;1½\n"
        "5;Noor Haddad;-;1 bye;0 - 3;0 - 4;1\n"
    ),
    "forfeits": (
        "No,Name,Rating,Rd 1,Rd 2,Rd 3,Rd 4\n"
        "1,Grace Whitfield,1850,W4,D2,W3,+F\n"
        "2,Tom Akande,1720,D3,D1,U,-F\n"
        "3,Ben Orlov,1604,D2,W5,L1,X4\n"
        "4,Maya Lindqvist,1488,L1,H,W5,F3\n"
        "5,Noor Haddad,,B,L3,L4,U\n"
    ),
    "colours with a slash": (
        "#,Name,Rating,Round 1,Round 2,Round 3\n"
        "1,Grace Whitfield,1850,W4/w,D2/b,W3/w\n"
        "2,Tom Akande,1720,D3/w,D1/w,wdr\n"
        "3,Ben Orlov,1604,D2/b,W5/w,L1/b\n"
        "4,Maya Lindqvist,1488,L1/b,hpb,W5/w\n"
        "5,Noor Haddad,nr,fpb,L3/b,L4/b\n"
    ),
    "colours in brackets": (
        "#,Name,Rating,Round 1,Round 2,Round 3\n"
        "1,Grace Whitfield,1850,W4 (W),D2 (B),W3 (W)\n"
        "2,Tom Akande,1720,D3 (W),D1 (W),\n"
        "3,Ben Orlov,1604,D2 (B),W5 (W),L1 (B)\n"
        "4,Maya Lindqvist,1488,L1 (B),0.5 bye,W5 (W)\n"
        "5,Noor Haddad,unr,1.0 bye,L3 (B),L4 (B)\n"
    ),
    "ordinals": (
        "Player Name,Member ID,Rating,1st,2nd,3rd,Final\n"
        "Grace Whitfield,30000001,1850,W4,D2,W3,2.5\n"
        "Tom Akande,30000002,1720,D3,D1,--,1\n"
        "Ben Orlov,30000003,1604,D2,W5,L1,1.5\n"
        "Maya Lindqvist,30000004,1488,L1,½ pt bye,W5,1.5\n"
        "Noor Haddad,30000005,,1 pt bye,L3,L4,1\n"
    ),
    "rounds in words": (
        "Name,Rating,Round One,Round Two,Round Three\n"
        "Grace Whitfield,1850,W4,D2,W3\n"
        "Tom Akande,1720,D3,D1,no game\n"
        "Ben Orlov,1604,D2,W5,L1\n"
        "Maya Lindqvist,1488,L1,halfpoint bye,W5\n"
        "Noor Haddad,,full-point bye,L3,L4\n"
    ),
    "score first, tie-breaks before the rounds": (
        "Place;Score;Buch;SB;Name;Nat;Rtg;No;R1;R2;R3\n"
        "1;2,5;4,5;4,25;Whitfield, Grace;USA;1850;1;W4;D2;W3\n"
        "2;1,5;3,0;1,00;Orlov, Ben;USA;1604;3;D2;W5;L1\n"
        "3;1,5;2,5;0,00;Lindqvist, Maya;SWE;1488;4;L1;H;W5\n"
        "4;1,0;4,0;2,00;Akande, Tom;NGR;1720;2;D3;D1;\n"
        "5;1,0;3,0;0,00;Haddad, Noor;USA;;5;B;L3;L4\n"
    ),
    "two sections under titles": (
        "Riverside Summer Open,,,,,\n\n"
        "OPEN SECTION,,,,,\n"
        "No.,Name,Rating,Rd 1,Rd 2,Rd 3\n"
        "1,Grace Whitfield,1850,W4,D2,W3\n"
        "2,Tom Akande,1720,D3,D1,\n"
        "3,Ben Orlov,1604,D2,W5,L1\n"
        "4,Maya Lindqvist,1488,L1,½,W5\n"
        "5,Noor Haddad,,bye,L3,L4\n"
        ",,,,,\n"
        "RESERVE SECTION (U1200),,,,,\n"
        "No.,Name,Rating,Rd 1,Rd 2,Rd 3\n"
        "1,Ida Stone,900,W2,D2,\n"
        "2,Jon Reed,850,L1,D1,\n"
    ),
    "pairings of each round": (
        "Round 1,,,\n"
        "Bd,White,Result,Black\n"
        "1,Grace Whitfield (1850),1-0,Maya Lindqvist (1488)\n"
        "2,Tom Akande (1720),½-½,Ben Orlov (1604)\n"
        ",Noor Haddad (unr),1,BYE\n"
        "Round 2,,,\n"
        "Bd,White,Result,Black\n"
        "1,Tom Akande (1720),½-½,Grace Whitfield (1850)\n"
        "2,Ben Orlov (1604),1-0,Noor Haddad (unr)\n"
        ",Maya Lindqvist (1488),½,BYE\n"
        "Round 3,,,\n"
        "Bd,White,Result,Black\n"
        "1,Grace Whitfield (1850),1-0,Ben Orlov (1604)\n"
        "2,Maya Lindqvist (1488),1-0,Noor Haddad (unr)\n"
    ),
    "points beside each player": (
        "Round,White,Pts,Black,Pts\n"
        "1,Grace Whitfield,1,Maya Lindqvist,0\n"
        "1,Tom Akande,½,Ben Orlov,½\n"
        "2,Tom Akande,½,Grace Whitfield,½\n"
        "2,Ben Orlov,1,Noor Haddad,0\n"
        "3,Grace Whitfield,1,Ben Orlov,0\n"
        "3,Maya Lindqvist,1,Noor Haddad,0\n"
    ),
    "winners and losers": (
        "Date,Winner,Loser,Draw?\n"
        "8/2/2025,Grace Whitfield,Maya Lindqvist,\n"
        "8/2/2025,Tom Akande,Ben Orlov,yes\n"
        "8/2/2025,Tom Akande,Grace Whitfield,yes\n"
        "8/2/2025,Ben Orlov,Noor Haddad,\n"
        "8/3/2025,Grace Whitfield,Ben Orlov,\n"
        "8/3/2025,Maya Lindqvist,Noor Haddad,\n"
    ),
    "a form's answers": (
        '"Timestamp","Round","White player","Black player","Who won?"\n'
        '"2025/08/02 10:55:12 AM EST","1","Grace Whitfield","Maya Lindqvist","White"\n'
        '"2025/08/02 11:10:40 AM EST","1","Tom Akande","Ben Orlov","Draw"\n'
        '"2025/08/02 2:31:02 PM EST","2","Tom Akande","Grace Whitfield","Draw"\n'
        '"2025/08/02 2:40:00 PM EST","2","Ben Orlov","Noor Haddad","White"\n'
        '"2025/08/03 11:00:01 AM EST","3","Grace Whitfield","Ben Orlov","White"\n'
        '"2025/08/03 11:20:19 AM EST","3","Maya Lindqvist","Noor Haddad","White"\n'
    ),
    "ratings with notes": (
        "No.,Name,USCF #,Rating,Rd1,Rd2,Rd3,Total,Notes\n"
        "1,Grace Whitfield,30000001 (OH),1850*,W4,D2,W3,2.5,paid cash\n"
        "2,Tom Akande,30000002 (OH),1720,D3,D1,,1,left early\n"
        "3,Ben Orlov,30000003 (OH),1604/17,D2,W5,L1,1.5,\n"
        "4,Maya Lindqvist,30000004 (OH),1488 P12,L1,H,W5,1.5,\n"
        "5,Noor Haddad,30000005,0,B,L3,L4,1,first tournament!\n"
        ",,,,,,,,\n"
        "* = section winner,,,,,,,,\n"
    ),
    "opponents by surname": (
        "Name;Rating;Rd1;Rd2;Rd3;Pts\n"
        "Grace Whitfield;1850;1 Lindqvist;½ Akande;1 Orlov;2½\n"
        "Tom Akande;1720;½ Orlov;½ Whitfield;;1\n"
        "Ben Orlov;1604;½ Akande;1 Haddad;0 Whitfield;1½\n"
        "Maya Lindqvist;1488;0 Whitfield;½ bye;1 Haddad;1½\n"
        "Noor Haddad;;1 bye;0 Orlov;0 Lindqvist;1\n"
    ),
    "versus": (
        "Player,Rating,Rd 1,Rd 2,Rd 3\n"
        "Grace Whitfield,1850,W v Maya Lindqvist,D v Tom Akande,W v Ben Orlov\n"
        "Tom Akande,1720,D vs Ben Orlov,D vs. Grace Whitfield,\n"
        "Ben Orlov,1604,D v Tom Akande,W vs Noor Haddad,L vs Grace Whitfield\n"
        "Maya Lindqvist,1488,L vs Grace Whitfield,bye ½,W vs Noor Haddad\n"
        "Noor Haddad,,bye 1,L vs Ben Orlov,L vs Maya Lindqvist\n"
    ),
    "columns by blanks": (
        "Riverside Summer Open\n\n"
        "No.  Name                Rating   Rd 1   Rd 2   Rd 3   Total\n"
        "---  ------------------  ------   ----   ----   ----   -----\n"
        "  1  Grace Whitfield       1850   W4     D2     W3     2.5\n"
        "  2  Tom Akande            1720   D3     D1     U      1.0\n"
        "  3  Ben Orlov             1604   D2     W5     L1     1.5\n"
        "  4  Maya Lindqvist        1488   L1     H      W5     1.5\n"
        "  5  Noor Haddad           unr.   B      L3     L4     1.0\n"
    ),
    "a web page's table": (
        "<html><head><title>Summer Open</title></head><body><h1>Summer Open</h1><table>\n"
        "<tr><th>No.</th><th>Name</th><th>Rating</th><th>Rd 1</th><th>Rd 2</th><th>Rd 3</th></tr>\n"
        "<tr><td>1</td><td>Grace Whitfield</td><td>1850</td><td>W4</td><td>D2</td><td>W3</td></tr>\n"
        "<tr><td>2</td><td>Tom Akande</td><td>1720</td><td>D3</td><td>D1</td><td>&nbsp;</td></tr>\n"
        "<tr><td>3</td><td>Ben Orlov</td><td>1604</td><td>D2</td><td>W5</td><td>L1</td></tr>\n"
        "<tr><td>4</td><td>Maya Lindqvist</td><td>1488</td><td>L1</td><td>&frac12;</td><td>W5</td></tr>\n"
        "<tr><td>5</td><td>Noor Haddad</td><td></td><td>bye</td><td>L3</td><td>L4</td></tr>\n"
        "</table></body></html>\n"
    ),
    "lines of results": (
        "Round 1\n"
        "Grace Whitfield 1-0 Maya Lindqvist\n"
        "Tom Akande 1/2-1/2 Ben Orlov\n"
        "\nRound 2\n"
        "Tom Akande 1/2-1/2 Grace Whitfield\n"
        "Ben Orlov 1-0 Noor Haddad\n"
        "\nRound 3\n"
        "Grace Whitfield 1-0 Ben Orlov\n"
        "Maya Lindqvist 1-0 Noor Haddad\n"
    ),
}
