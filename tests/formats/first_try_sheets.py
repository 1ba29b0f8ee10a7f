"""Sheets that did not rate on somebody's first try: the event of `strangers_sheets` in more styles."""

from __future__ import annotations

SHEETS: dict[str, str] = {
    "ratings behind the names, under a head that says so": (
        "Name (Rating),Rd 1,Rd 2,Rd 3,Total\n"
        "Grace Whitfield (1850),W4,D2,W3,2.5\n"
        "Tom Akande (1720),D3,D1,,1\n"
        "Ben Orlov (1604),D2,W5,L1,1.5\n"
        "Maya Lindqvist (1488),L1,1/2 bye,W5,1.5\n"
        "Noor Haddad (unr),bye,L3,L4,1\n"
    ),
    "ratings behind the names": (
        "Player,Rd 1,Rd 2,Rd 3,Total\n"
        "Grace Whitfield (1850),W4,D2,W3,2.5\n"
        "Tom Akande (1720),D3,D1,,1\n"
        "Ben Orlov (1604P12),D2,W5,L1,1.5\n"
        "Maya Lindqvist (1488),L1,1/2 bye,W5,1.5\n"
        "Noor Haddad (unr),bye,L3,L4,1\n"
    ),
    "opponent first, byes of two letters": (
        "#,Name,Rating,R1,R2,R3,Pts\n"
        "1,Grace Whitfield,1850,4W,2D,3W,2.5\n"
        "2,Tom Akande,1720,3D,1D,,1\n"
        "3,Ben Orlov,1604,2D,5W,1L,1.5\n"
        "4,Maya Lindqvist,1488,1L,HB,5W,1.5\n"
        "5,Noor Haddad,,FB,3L,4L,1\n"
    ),
    "both sides' points and a name": (
        "Name,Rating,Round 1,Round 2,Round 3\n"
        "Grace Whitfield,1850,1-0 vs Lindqvist,½-½ vs Akande,1-0 vs Orlov\n"
        "Tom Akande,1720,½-½ vs Orlov,½-½ vs Whitfield,-\n"
        "Ben Orlov,1604,½-½ vs Akande,1-0 vs Haddad,0-1 vs Whitfield\n"
        "Maya Lindqvist,1488,0-1 vs Whitfield,bye ½,1-0 vs Haddad\n"
        "Noor Haddad,,bye,0-1 vs Orlov,0-1 vs Lindqvist\n"
    ),
    "colour, opponent and points without a mark": (
        "No,Name,Rtg,R1,R2,R3,Score\n"
        "1,Grace Whitfield,1850,W41,B2½,W31,2½\n"
        "2,Tom Akande,1720,W3½,W1½,,1\n"
        "3,Ben Orlov,1604,B2½,W51,B10,1½\n"
        "4,Maya Lindqvist,1488,B10,½,W51,1½\n"
        "5,Noor Haddad,unr,1,B30,B40,1\n"
    ),
    "player and opponent": (
        "Round,Player,Opponent,Result\n"
        "1,Grace Whitfield,Maya Lindqvist,Win\n"
        "1,Tom Akande,Ben Orlov,Draw\n"
        "2,Tom Akande,Grace Whitfield,Draw\n"
        "2,Ben Orlov,Noor Haddad,Win\n"
        "3,Grace Whitfield,Ben Orlov,Win\n"
        "3,Maya Lindqvist,Noor Haddad,Win\n"
    ),
    "each game from both sides": (
        "Round,Player,Opponent,Result\n"
        "1,Grace Whitfield,Maya Lindqvist,Win\n"
        "1,Maya Lindqvist,Grace Whitfield,Loss\n"
        "1,Tom Akande,Ben Orlov,Draw\n"
        "1,Ben Orlov,Tom Akande,Draw\n"
        "2,Tom Akande,Grace Whitfield,Draw\n"
        "2,Grace Whitfield,Tom Akande,Draw\n"
        "2,Ben Orlov,Noor Haddad,Win\n"
        "2,Noor Haddad,Ben Orlov,Loss\n"
        "3,Grace Whitfield,Ben Orlov,Win\n"
        "3,Ben Orlov,Grace Whitfield,Loss\n"
        "3,Maya Lindqvist,Noor Haddad,Win\n"
        "3,Noor Haddad,Maya Lindqvist,Loss\n"
    ),
    "two sections under one head": (
        "No,Name,Rating,R1,R2,R3\n"
        "Open Section\n"
        "1,Grace Whitfield,1850,W4,D2,W3\n"
        "2,Tom Akande,1720,D3,D1,\n"
        "3,Ben Orlov,1604,D2,W5,L1\n"
        "4,Maya Lindqvist,1488,L1,H,W5\n"
        "5,Noor Haddad,,B,L3,L4\n"
        "Reserve Section\n"
        "1,Ida Stone,900,W2,D2,\n"
        "2,Jon Reed,850,L1,D1,\n"
    ),
    "ratings behind apostrophes": (
        "Date,,8/2/2025\n"
        'Place:,,"Dayton, OH"\n'
        "Time control:,,G/60 d5\n"
        "Player,ID,Rating,1,2,3\n"
        "Grace Whitfield,'30000001,'1850,W4,D2,W3\n"
        "Tom Akande,'30000002,'1720,D3,D1,\n"
        "Ben Orlov,'30000003,'1604,D2,W5,L1\n"
        "Maya Lindqvist,'30000004,'1488,L1,H,W5\n"
        "Noor Haddad,'30000005,,B,L3,L4\n"
    ),
    "points and opponents with a stroke": (
        "Rank,Name,Rating,Round 1,Round 2,Round 3,Total\n"
        "1,Grace Whitfield,1850,1/4,½/2,1/3,2 1/2\n"
        "2,Tom Akande,1720,½/3,½/1,,1\n"
        "3,Ben Orlov,1604,½/2,1/5,0/1,1 1/2\n"
        "4,Maya Lindqvist,1488,0/1,½,1/5,1 1/2\n"
        "5,Noor Haddad,unrated,1,0/3,0/4,1\n"
    ),
    "SwissPerfect, tabs": (
        "No\tName            \tFeder\tLoc Id  \tRtg\tLoc \tTotal\t 1 \t 2 \t 3 \r\n"
        "\r\n"
        "1 \tWhitfield, Grace\tUSA\t30000001\t0\t1850\t2.5  \t4:W\t2:D\t3:W\r\n"
        "2 \tAkande, Tom     \tUSA\t30000002\t0\t1720\t1    \t3:D\t1:D\t : \r\n"
        "3 \tOrlov, Ben      \tUSA\t30000003\t0\t1604\t1.5  \t2:D\t5:W\t1:L\r\n"
        "4 \tLindqvist, Maya \tSWE\t30000004\t0\t1488\t1.5  \t1:L\t0:=\t5:W\r\n"
        "5 \tHaddad, Noor    \tUSA\t30000005\t0\t0   \t1    \t0:+\t3:L\t4:L\r\n"
    ),
    "SwissPerfect, blanks": (
        "No Name             Feder Loc Id   Loc  Total  1    2    3 \n"
        "\n"
        "1  Whitfield, Grace USA   30000001 1850 2.5    4:W  2:D  3:W\n"
        "2  Akande, Tom      USA   30000002 1720 1      3:D  1:D   : \n"
        "3  Orlov, Ben       USA   30000003 1604 1.5    2:D  5:W  1:L\n"
        "4  Lindqvist, Maya  SWE   30000004 1488 1.5    1:L  0:=  5:W\n"
        "5  Haddad, Noor     USA   30000005      1      0:+  3:L  4:L\n"
    ),
    "WinTD cross table": (
        "Riverside Summer Open\n"
        "Cross Table for Open Section\n"
        "\n"
        " No. Name                 Team   Rate Pts Rnd1 Rnd2 Rnd3\n"
        "\n"
        "   1 Whitfield, Grace     DAY    1850 2.5 W  4 D  2 W  3\n"
        "   2 Akande, Tom          DAY    1720 1.0 D  3 D  1 -U-\n"
        "   3 Orlov, Ben           TOL    1604 1.5 D  2 W  5 L  1\n"
        "   4 Lindqvist, Maya      AKR    1488 1.5 L  1 -H-  W  5\n"
        "   5 Haddad, Noor                 unr 1.0 -B-  L  3 L  4\n"
    ),
    "WinTD cross table, rounds in two words": (
        "#   Name                 Rate  Pts  Rnd 1 Rnd 2 Rnd 3\n"
        "1   Whitfield, Grace     1850  2.5   W4    D2    W3\n"
        "2   Akande, Tom          1720  1.0   D3    D1   -U-\n"
        "3   Orlov, Ben           1604  1.5   D2    W5    L1\n"
        "4   Lindqvist, Maya      1488  1.5   L1   -H-    W5\n"
        "5   Haddad, Noor          unr  1.0  -B-    L3    L4\n"
    ),
    "no head, tabs": (
        "1\tGrace Whitfield\t1850\tW4\tD2\tW3\n"
        "2\tTom Akande\t1720\tD3\tD1\tU\n"
        "3\tBen Orlov\t1604\tD2\tW5\tL1\n"
        "4\tMaya Lindqvist\t1488\tL1\tH\tW5\n"
        "5\tNoor Haddad\tunr\tB\tL3\tL4\n"
    ),
    "no head, ids and totals": (
        "1,Grace Whitfield,30000001,1850,W4,D2,W3,2.5\n"
        "2,Tom Akande,30000002,1720,D3,D1,U,1\n"
        "3,Ben Orlov,30000003,1604,D2,W5,L1,1.5\n"
        "4,Maya Lindqvist,30000004,1488,L1,H,W5,1.5\n"
        "5,Noor Haddad,30000005,,B,L3,L4,1\n"
    ),
    "no head, blanks": (
        "  1  Grace Whitfield    1850  W4  D2  W3  2.5\n"
        "  2  Tom Akande         1720  D3  D1  U   1.0\n"
        "  3  Ben Orlov          1604  D2  W5  L1  1.5\n"
        "  4  Maya Lindqvist     1488  L1  H   W5  1.5\n"
        "  5  Noor Haddad         unr  B   L3  L4  1.0\n"
    ),
    "no head, games": (
        "1,Grace Whitfield,Maya Lindqvist,1-0\n"
        "1,Tom Akande,Ben Orlov,1/2-1/2\n"
        "2,Tom Akande,Grace Whitfield,1/2-1/2\n"
        "2,Ben Orlov,Noor Haddad,1-0\n"
        "3,Grace Whitfield,Ben Orlov,1-0\n"
        "3,Maya Lindqvist,Noor Haddad,1-0\n"
    ),
    "Vega": (
        "Final Standing\n"
        "\n"
        " Pos | NAME              |  Rtg |  Pts |  R1   R2   R3\n"
        "  1  | WHITFIELD, Grace  | 1850 |  2.5 | +W4  =B2  +W3 \n"
        "  2  | AKANDE, Tom       | 1720 |  1.0 | =W3  =W1  -BYE\n"
        "  3  | ORLOV, Ben        | 1604 |  1.5 | =B2  +W5  -B1 \n"
        "  4  | LINDQVIST, Maya   | 1488 |  1.5 | -B1  =BYE +W5 \n"
        "  5  | HADDAD, Noor      |    0 |  1.0 | +BYE -B3  -B4 \n"
    ),
    "name, rating and id in one cell": (
        "Pairing #,Name / Rating / ID,Rd1,Rd2,Rd3,Total\n"
        "1,Grace Whitfield 1850 30000001,W4,D2,W3,2.5\n"
        "2,Tom Akande 1720 30000002,D3,D1,,1\n"
        "3,Ben Orlov 1604 30000003,D2,W5,L1,1.5\n"
        "4,Maya Lindqvist 1488 30000004,L1,H,W5,1.5\n"
        "5,Noor Haddad unr 30000005,B,L3,L4,1\n"
    ),
    "points without titles": (
        "Round 1,,,,\n"
        "Board,White,,Black,\n"
        "1,Grace Whitfield,1,Maya Lindqvist,0\n"
        "2,Tom Akande,0.5,Ben Orlov,0.5\n"
        "Round 2,,,,\n"
        "Board,White,,Black,\n"
        "1,Tom Akande,0.5,Grace Whitfield,0.5\n"
        "2,Ben Orlov,1,Noor Haddad,0\n"
        "Round 3,,,,\n"
        "Board,White,,Black,\n"
        "1,Grace Whitfield,1,Ben Orlov,0\n"
        "2,Maya Lindqvist,1,Noor Haddad,0\n"
    ),
    "opponents' ratings in the cells": (
        "No,Name,Rating,R1,R2,R3\n"
        "1,Grace Whitfield,1850,W4 (1488),D2 (1720),W3 (1604)\n"
        "2,Tom Akande,1720,D3 (1604),D1 (1850),\n"
        "3,Ben Orlov,1604,D2 (1720),W5 (unr),L1 (1850)\n"
        "4,Maya Lindqvist,1488,L1 (1850),H,W5 (unr)\n"
        "5,Noor Haddad,,B,L3 (1604),L4 (1488)\n"
    ),
}
