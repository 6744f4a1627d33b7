// The clauses of INSERT INTO that Lamina adds. Everything around them (target, query, predicates) is
// cut out before this grammar sees it and is parsed by Spark; an EXPRESSION token stands for such a piece.
grammar LaminaSql;

tokens { EXPRESSION }

clauses
    : clause+
    ;

clause
    : MERGE STRATEGY name strategyOption*           #mergeStrategy
    | ON SCHEMA CHANGE name policyOption*           #onSchemaChange
    ;

strategyOption
    : UNIQUE KEY columns                            #uniqueKey
    | WATERMARK column                              #watermark
    | PARTITION (COLUMN | COLUMNS) (column | columns)   #partitionColumns
    | VALID FROM column                             #validFrom
    | VALID TO column                               #validTo
    | CURRENT FLAG column                           #currentFlag
    | SEQUENCE BY column                            #sequenceBy
    | TRACK HISTORY ON columns                      #trackHistory
    | TRACK HISTORY ON ASTERISK EXCEPT columns      #trackHistoryExcept
    | DELETE WHEN EXPRESSION                        #deleteWhen
    | HARD DELETES name                             #hardDeletes
    | ALLOW EMPTY SOURCE                            #allowEmptySource
    | COLUMNS ASTERISK EXCEPT columns               #exceptColumns
    | RUN ID text                                   #runId
    ;

policyOption
    : WIDEN TYPES                                   #widenTypes
    | CHUNK BY column FROM from=EXPRESSION TO to=EXPRESSION STEP step=EXPRESSION    #chunkBy
    ;

columns
    : LEFT_PAREN column (COMMA column)* RIGHT_PAREN
    ;

column
    : part (DOT part)*
    ;

part
    : name | queryWord
    ;

text
    : STRING+
    | QUESTION
    | COLON part
    ;

// Words that start a query cannot stand where a strategy or policy is named: the name was forgotten.
name
    : WORD | BACKQUOTED
    | ALLOW | BY | CHANGE | CHUNK | COLUMN | COLUMNS | CURRENT | DELETE | DELETES | DISTINCT | EMPTY
    | EXCEPT | EXPLAIN | FLAG | HARD | HISTORY | ID | INSERT | INTO | KEY | MERGE | NAME | ON
    | PARTITION | RUN | SCHEMA | SEQUENCE | SOURCE | STEP | STRATEGY | TO | TRACK | TYPES
    | UNIQUE | VALID | WATERMARK | WHEN | WIDEN
    ;

queryWord
    : FROM | MAP | REDUCE | SELECT | TABLE | VALUES | WITH
    ;

ALLOW: A L L O W;
BY: B Y;
CHANGE: C H A N G E;
CHUNK: C H U N K;
COLUMN: C O L U M N;
COLUMNS: C O L U M N S;
CURRENT: C U R R E N T;
DELETE: D E L E T E;
DELETES: D E L E T E S;
DISTINCT: D I S T I N C T;
EMPTY: E M P T Y;
EXCEPT: E X C E P T;
EXPLAIN: E X P L A I N;
FLAG: F L A G;
FROM: F R O M;
HARD: H A R D;
HISTORY: H I S T O R Y;
ID: I D;
INSERT: I N S E R T;
INTO: I N T O;
KEY: K E Y;
MAP: M A P;
MERGE: M E R G E;
NAME: N A M E;
ON: O N;
PARTITION: P A R T I T I O N;
REDUCE: R E D U C E;
RUN: R U N;
SCHEMA: S C H E M A;
SELECT: S E L E C T;
SEQUENCE: S E Q U E N C E;
SOURCE: S O U R C E;
STEP: S T E P;
STRATEGY: S T R A T E G Y;
TABLE: T A B L E;
TO: T O;
TRACK: T R A C K;
TYPES: T Y P E S;
UNIQUE: U N I Q U E;
VALID: V A L I D;
VALUES: V A L U E S;
WATERMARK: W A T E R M A R K;
WHEN: W H E N;
WIDEN: W I D E N;
WITH: W I T H;

ASTERISK: '*';
COLON: ':';
COMMA: ',';
DOT: '.';
LEFT_PAREN: '(';
QUESTION: '?';
RIGHT_PAREN: ')';
SEMICOLON: ';';

// What is never closed runs to the end, so that nothing in it is taken for a clause.
STRING
    : '\'' (~['\\] | '\\' . | '\'\'')* ('\'' | EOF)
    | '"' (~["\\] | '\\' . | '""')* ('"' | EOF)
    | R '\'' (~['])* '\''
    | R '"' (~["])* '"'
    | '$$' .*? '$$'
    ;

BACKQUOTED: '`' (~[`] | '``')* ('`' | EOF);

WORD: [\p{L}\p{N}_]+;

LINE_COMMENT: '--' ('\\\n' | ~[\r\n])* -> channel(HIDDEN);
BLOCK_COMMENT: '/*' (BLOCK_COMMENT | .)*? ('*/' | EOF) -> channel(HIDDEN);
SPACE: [ \r\n\t\f\u00A0\u2000-\u200A\u2028\u3000]+ -> channel(HIDDEN);

// Operators and anything else: only Spark needs to understand it.
OTHER: .;

fragment A: [aA];
fragment B: [bB];
fragment C: [cC];
fragment D: [dD];
fragment E: [eE];
fragment F: [fF];
fragment G: [gG];
fragment H: [hH];
fragment I: [iI];
fragment K: [kK];
fragment L: [lL];
fragment M: [mM];
fragment N: [nN];
fragment O: [oO];
fragment P: [pP];
fragment Q: [qQ];
fragment R: [rR];
fragment S: [sS];
fragment T: [tT];
fragment U: [uU];
fragment V: [vV];
fragment W: [wW];
fragment X: [xX];
fragment Y: [yY];
