// Made from schema/*.json by `npm run sdk`.

/**
 * An event of a session's log (L1), one a line of events.ndjson
 */
export interface Envelope {
    authority:       Authority;
    branch?:         string;
    branchFrom?:     string;
    confidence:      number;
    correlation?:    EnvelopeCorrelation;
    entityRevision?: number;
    eventId:         string;
    evidence?:       EvidenceElement[];
    payload:         EnvelopePayload;
    schemaVersion:   SchemaVersion;
    sessionId:       string;
    source:          EnvelopeSource;
    timestamp:       string;
    timestampFrom?:  TimestampFrom;
    type:            EnvelopeType;
    [property: string]: unknown;
}

export type Authority = "authoritative" | "self_reported" | "inferred";

export interface EnvelopeCorrelation {
    agentSessionId?: string;
    clientActionId?: string;
    messageId?:      string;
    parentId?:       string;
    runId?:          string;
    toolCallId?:     string;
    toolResultId?:   string;
    turnId?:         string;
    [property: string]: unknown;
}

export interface EvidenceElement {
    blob:   string;
    file?:  number;
    length: number;
    offset: number;
    record: number;
    [property: string]: unknown;
}

export interface EnvelopePayload {
    cwd?:             string;
    git?:             PurpleGit;
    harnessVersion?:  string;
    model?:           string;
    nativeSessionId?: string;
    title?:           string;
    reason?:          string;
    titleBy?:         TitleBy;
    settings?:        { [key: string]: boolean | number | string };
    text?:            string;
    runId?:           string;
    status?:          string;
    turnId?:          string;
    error?:           string;
    usage?:           PurpleUsage;
    messageId?:       string;
    role?:            PayloadRole;
    audience?:        Audience[];
    blocks?:          BlockElement[];
    display?:         string;
    injected?:        Injected;
    kind?:            PayloadKind;
    revision?:        number;
    stopReason?:      string;
    arguments?:       unknown;
    name?:            string;
    toolCallId?:      string;
    content?:         BlockElement[];
    detail?:          unknown;
    isError?:         boolean;
    result?:          BlockElement[];
    synthetic?:       boolean;
    toolResultId?:    string;
    approvalId?:      string;
    outcome?:         string;
    mediaType?:       string;
    uri?:             string;
    plan?:            PurplePlan[];
    clientActionId?:  string;
    context?:         PurpleContext[];
    trigger?:         Trigger;
    turns?:           number;
    axis?:            string;
    nativeType?:      string;
    value?:           unknown;
    [property: string]: unknown;
}

export type Audience = "user" | "assistant";

export interface BlockElement {
    text?:         string;
    type:          BlockType;
    signature?:    string;
    arguments?:    unknown;
    freeform?:     boolean;
    name?:         string;
    namespace?:    string;
    toolCallId?:   string;
    alt?:          string;
    data?:         string;
    mimeType?:     string;
    uri?:          string;
    mediaType?:    string;
    title?:        string;
    code?:         string;
    detail?:       unknown;
    message?:      string;
    nativeType?:   string;
    value?:        unknown;
    content?:      PurpleContent[];
    isError?:      boolean;
    toolResultId?: string;
    [property: string]: unknown;
}

export interface PurpleContent {
    text?:       string;
    type:        PurpleType;
    signature?:  string;
    arguments?:  unknown;
    freeform?:   boolean;
    name?:       string;
    namespace?:  string;
    toolCallId?: string;
    alt?:        string;
    data?:       string;
    mimeType?:   string;
    uri?:        string;
    mediaType?:  string;
    title?:      string;
    code?:       string;
    detail?:     unknown;
    message?:    string;
    nativeType?: string;
    value?:      unknown;
    [property: string]: unknown;
}

export type PurpleType = "text" | "thinking" | "tool-call" | "image" | "reference" | "error" | "unknown";

export type BlockType = "text" | "thinking" | "tool-call" | "image" | "reference" | "error" | "unknown" | "tool-result";

export interface PurpleContext {
    payload: unknown;
    type:    string;
    [property: string]: unknown;
}

export interface PurpleGit {
    branch?:     string;
    commit?:     string;
    repository?: string;
    [property: string]: unknown;
}

export type Injected = "harness" | "command" | "skill" | "tool" | "notice";

export type PayloadKind = "summary" | "queued";

export interface PurplePlan {
    content:   string;
    priority?: Priority;
    status:    PlanStatus;
    [property: string]: unknown;
}

export type Priority = "high" | "medium" | "low";

export type PlanStatus = "pending" | "in_progress" | "completed";

export type PayloadRole = "system" | "user" | "assistant" | "tool" | "unknown";

export type TitleBy = "user" | "agent";

export type Trigger = "manual" | "auto";

export interface PurpleUsage {
    cacheReadTokens?:  number;
    cacheWriteTokens?: number;
    costUsd?:          number;
    inputTokens?:      number;
    outputTokens?:     number;
    reasoningTokens?:  number;
    totalTokens?:      number;
    [property: string]: unknown;
}

export type SchemaVersion = "1.0";

export interface EnvelopeSource {
    adapter:        string;
    authenticated:  boolean;
    generation?:    number;
    layer:          Layer;
    nativeEventId?: string;
    [property: string]: unknown;
}

export type Layer = "L1" | "L2" | "L3";

export type TimestampFrom = "inferred" | "none";

export type EnvelopeType = "session.started" | "session.ended" | "session.bound" | "capabilities.changed" | "input.observed" | "run.started" | "run.settled" | "turn.started" | "turn.completed" | "message.started" | "message.updated" | "message.completed" | "tool.started" | "tool.updated" | "tool.completed" | "approval.requested" | "approval.resolved" | "artifact.observed" | "task.updated" | "action.intent" | "action.dispatched" | "action.rejected" | "action.applied" | "action.unknown" | "action.accepted" | "status.changed" | "unknown.observed";

/**
 * A session as its log projects (L2, projection 1.1)
 */
export interface Snapshot {
    approvals:         ApprovalElement[];
    capabilities:      SnapshotCapabilities;
    cwd?:              string;
    degradedReasons:   string[];
    epoch:             number;
    git?:              SnapshotGit;
    id:                string;
    messages:          MessageElement[];
    model?:            string;
    nativeSessionId:   string;
    nextSeq:           number;
    pendingActions:    PendingActionElement[];
    projectionVersion: ProjectionVersion;
    revision:          number;
    runs:              RunElement[];
    schemaVersion:     SchemaVersion;
    seq:               number;
    status:            SnapshotStatus;
    title?:            string;
    tools:             ToolElement[];
    turns:             TurnElement[];
    [property: string]: unknown;
}

export interface ApprovalElement {
    createdAt:   string;
    detail?:     unknown;
    id:          string;
    outcome?:    string;
    provenance:  PurpleProvenance;
    revision:    number;
    state:       State;
    toolCallId?: string;
    updatedAt:   string;
    [property: string]: unknown;
}

export interface PurpleProvenance {
    adapter:          string;
    authenticated:    boolean;
    layer:            Layer;
    observationCount: number;
    sourceEventIds:   string[];
    [property: string]: unknown;
}

export type State = "pending" | "running" | "completed" | "failed" | "cancelled";

export interface SnapshotCapabilities {
    readOnly: boolean;
    settings: { [key: string]: boolean | number | string };
    [property: string]: unknown;
}

export interface SnapshotGit {
    branch?:     string;
    commit?:     string;
    repository?: string;
    [property: string]: unknown;
}

export interface MessageElement {
    audience?:   Audience[];
    blocks:      ContentElement[];
    branch?:     string;
    createdAt:   string;
    display?:    string;
    id:          string;
    injected?:   Injected;
    kind?:       PayloadKind;
    model?:      string;
    provenance:  PurpleProvenance;
    revision:    number;
    role:        PayloadRole;
    runId?:      string;
    state:       State;
    stopReason?: string;
    turnId?:     string;
    updatedAt:   string;
    usage?:      FluffyUsage;
    [property: string]: unknown;
}

export interface ContentElement {
    text?:         string;
    type:          BlockType;
    signature?:    string;
    arguments?:    unknown;
    freeform?:     boolean;
    name?:         string;
    namespace?:    string;
    toolCallId?:   string;
    alt?:          string;
    data?:         string;
    mimeType?:     string;
    uri?:          string;
    mediaType?:    string;
    title?:        string;
    code?:         string;
    detail?:       unknown;
    message?:      string;
    nativeType?:   string;
    value?:        unknown;
    content?:      FluffyContent[];
    isError?:      boolean;
    toolResultId?: string;
    [property: string]: unknown;
}

export interface FluffyContent {
    text?:       string;
    type:        PurpleType;
    signature?:  string;
    arguments?:  unknown;
    freeform?:   boolean;
    name?:       string;
    namespace?:  string;
    toolCallId?: string;
    alt?:        string;
    data?:       string;
    mimeType?:   string;
    uri?:        string;
    mediaType?:  string;
    title?:      string;
    code?:       string;
    detail?:     unknown;
    message?:    string;
    nativeType?: string;
    value?:      unknown;
    [property: string]: unknown;
}

export interface FluffyUsage {
    cacheReadTokens?:  number;
    cacheWriteTokens?: number;
    costUsd?:          number;
    inputTokens?:      number;
    outputTokens?:     number;
    reasoningTokens?:  number;
    totalTokens?:      number;
    [property: string]: unknown;
}

export interface PendingActionElement {
    createdAt:  string;
    detail?:    unknown;
    id:         string;
    provenance: PurpleProvenance;
    revision:   number;
    state:      State;
    updatedAt:  string;
    [property: string]: unknown;
}

export type ProjectionVersion = "1.1";

export interface RunElement {
    createdAt:  string;
    id:         string;
    provenance: PurpleProvenance;
    revision:   number;
    state:      State;
    updatedAt:  string;
    [property: string]: unknown;
}

export type SnapshotStatus = "live" | "idle" | "exited" | "degraded";

export interface ToolElement {
    arguments:  unknown;
    branch?:    string;
    createdAt:  string;
    id:         string;
    messageId?: string;
    name:       string;
    namespace?: string;
    provenance: PurpleProvenance;
    result?:    PurpleResult;
    revision:   number;
    runId?:     string;
    state:      State;
    turnId?:    string;
    updatedAt:  string;
    [property: string]: unknown;
}

export interface PurpleResult {
    content:       ContentElement[];
    detail?:       unknown;
    isError:       boolean;
    synthetic?:    boolean;
    toolResultId?: string;
    [property: string]: unknown;
}

export interface TurnElement {
    createdAt:  string;
    error?:     string;
    id:         string;
    provenance: PurpleProvenance;
    revision:   number;
    runId?:     string;
    state:      State;
    updatedAt:  string;
    usage?:     FluffyUsage;
    [property: string]: unknown;
}

/**
 * How one session descends from another
 */
export interface Relation {
    createdAt:       string;
    id:              string;
    sourceSessionId: string;
    targetSessionId: string;
    type:            RelationType;
    typeData?:       PurpleTypeData;
    [property: string]: unknown;
}

export type RelationType = "fork" | "resume" | "handoff" | "subagent" | "compact";

export interface PurpleTypeData {
    parentRunId?:      string;
    parentToolCallId?: string;
    sourceHarness?:    string;
    targetHarness?:    string;
    [property: string]: unknown;
}

/**
 * manifest.json of a portable bundle folder
 */
export interface BundleManifest {
    format:        BundleManifestFormat;
    schemaVersion: SchemaVersion;
    sessions:      SessionElement[];
    version:       number;
    [property: string]: unknown;
}

export type BundleManifestFormat = "asp-bundle-folder";

export interface SessionElement {
    archived?:       boolean;
    axes:            { [key: string]: AxeValue };
    children:        string[];
    createdAt?:      string;
    cwd?:            string;
    events:          Events;
    files:           FileElement[];
    git?:            SessionGit;
    harness:         string;
    harnessVersion?: string;
    id:              string;
    losses:          LossElement[];
    messages:        number;
    model?:          string;
    nativeSessionId: string;
    parent?:         Parent;
    records:         PurpleRecords;
    timesInferred?:  boolean;
    title?:          string;
    titleFrom?:      TitleFrom;
    toolCalls:       number;
    updatedAt?:      string;
    [property: string]: unknown;
}

export interface AxeValue {
    degraded: number;
    dropped:  number;
    kept:     number;
    [property: string]: unknown;
}

export interface Events {
    bytes:  number;
    count:  number;
    sha256: string;
    [property: string]: unknown;
}

export interface FileElement {
    blob:      string;
    encoding?: Encoding;
    mode?:     number;
    mtimeMs?:  number;
    relative:  string;
    role:      FileRole;
    size:      number;
    [property: string]: unknown;
}

export type Encoding = "zstd";

export type FileRole = "transcript" | "companion" | "ancestor";

export interface SessionGit {
    branch?:     string;
    commit?:     string;
    repository?: string;
    [property: string]: unknown;
}

export interface LossElement {
    axis:   Axis;
    count:  number;
    kind:   LossKind;
    level:  LossLevel;
    places: PlaceElement[];
    reason: Reason;
    [property: string]: unknown;
}

export type Axis = "messages" | "injected-context" | "tool-calls" | "tool-results" | "tool-details" | "thinking" | "opaque-reasoning" | "images" | "documents" | "title" | "times" | "cwd" | "git" | "models" | "usage" | "settings" | "turns" | "compaction" | "branches" | "lineage" | "subagents" | "plans" | "approvals" | "errors" | "file-snapshots" | "ids" | "side-records" | "raw" | "instructions" | "instruction-scopes" | "skills" | "skill-restrictions" | "commands" | "agents" | "output-styles" | "plugins" | "hooks" | "mcp-servers" | "mcp-options" | "secrets" | "notes" | "options" | "permissions";

export type LossKind = "sessions" | "instructions" | "skills" | "tools" | "memory" | "settings";

export type LossLevel = "partial" | "evidence-only" | "dropped" | "not-in-source";

export interface PlaceElement {
    item?:    string;
    record?:  number;
    session?: string;
    [property: string]: unknown;
}

export type Reason = "no-counterpart" | "harness-preamble" | "foreign-signature" | "encrypted" | "shown-not-sent" | "abandoned-branch" | "superseded" | "duplicate" | "index-only" | "unreadable" | "unparsable" | "over-bound" | "torn-tail" | "invalid-text" | "dangling-parent" | "orphan-result" | "missing-result" | "duplicate-id" | "id-not-legal" | "empty" | "missing-file" | "damaged" | "missing-parent" | "not-in-source" | "target-limit" | "not-supported" | "re-encoded" | "merged" | "prefix-changed" | "evidence-missing" | "time-inferred" | "source-grew" | "consent-needed" | "secret" | "exists" | "unsafe" | "generated" | "no-equal" | "redacted" | "not-shared" | "marked-block" | "would-widen" | "restriction-lost" | "no-place" | "managed" | "switched-off" | "not-expanded" | "scope-changed" | "invalid-form" | "link-outside" | "link-copied";

export interface Parent {
    id:          string;
    relation:    RelationEnum;
    toolCallId?: string;
    [property: string]: unknown;
}

export type RelationEnum = "fork" | "subagent" | "resume";

export interface PurpleRecords {
    evidence: number;
    lost:     number;
    mapped:   number;
    read:     number;
    [property: string]: unknown;
}

export type TitleFrom = "user" | "agent" | "prompt";

/**
 * One session in one file (asp-bundle, version 1)
 */
export interface ASPBundle {
    createdAt: string;
    evidence:  Evidence[];
    fidelity:  Fidelity[];
    format:    ASPBundleFormat;
    loss:      string[];
    native:    ASPBundleNative;
    pivot:     Pivot;
    version:   number;
    [property: string]: unknown;
}

export interface Evidence {
    authority:       Authority;
    branch?:         string;
    branchFrom?:     string;
    confidence:      number;
    correlation?:    EvidenceCorrelation;
    entityRevision?: number;
    eventId:         string;
    evidence?:       EvidenceObject[];
    payload:         EvidencePayload;
    schemaVersion:   SchemaVersion;
    sessionId:       string;
    source:          EvidenceSource;
    timestamp:       string;
    timestampFrom?:  TimestampFrom;
    type:            EnvelopeType;
    [property: string]: unknown;
}

export interface EvidenceCorrelation {
    agentSessionId?: string;
    clientActionId?: string;
    messageId?:      string;
    parentId?:       string;
    runId?:          string;
    toolCallId?:     string;
    toolResultId?:   string;
    turnId?:         string;
    [property: string]: unknown;
}

export interface EvidenceObject {
    blob:   string;
    file?:  number;
    length: number;
    offset: number;
    record: number;
    [property: string]: unknown;
}

export interface EvidencePayload {
    cwd?:             string;
    git?:             PivotGit;
    harnessVersion?:  string;
    model?:           string;
    nativeSessionId?: string;
    title?:           string;
    reason?:          string;
    titleBy?:         TitleBy;
    settings?:        { [key: string]: boolean | number | string };
    text?:            string;
    runId?:           string;
    status?:          string;
    turnId?:          string;
    error?:           string;
    usage?:           TentacledUsage;
    messageId?:       string;
    role?:            PayloadRole;
    audience?:        Audience[];
    blocks?:          ResultElement[];
    display?:         string;
    injected?:        Injected;
    kind?:            PayloadKind;
    revision?:        number;
    stopReason?:      string;
    arguments?:       unknown;
    name?:            string;
    toolCallId?:      string;
    content?:         ResultElement[];
    detail?:          unknown;
    isError?:         boolean;
    result?:          ResultElement[];
    synthetic?:       boolean;
    toolResultId?:    string;
    approvalId?:      string;
    outcome?:         string;
    mediaType?:       string;
    uri?:             string;
    plan?:            FluffyPlan[];
    clientActionId?:  string;
    context?:         FluffyContext[];
    trigger?:         Trigger;
    turns?:           number;
    axis?:            string;
    nativeType?:      string;
    value?:           unknown;
    [property: string]: unknown;
}

export interface ResultElement {
    text?:         string;
    type:          BlockType;
    signature?:    string;
    arguments?:    unknown;
    freeform?:     boolean;
    name?:         string;
    namespace?:    string;
    toolCallId?:   string;
    alt?:          string;
    data?:         string;
    mimeType?:     string;
    uri?:          string;
    mediaType?:    string;
    title?:        string;
    code?:         string;
    detail?:       unknown;
    message?:      string;
    nativeType?:   string;
    value?:        unknown;
    content?:      TentacledContent[];
    isError?:      boolean;
    toolResultId?: string;
    [property: string]: unknown;
}

export interface TentacledContent {
    text?:       string;
    type:        PurpleType;
    signature?:  string;
    arguments?:  unknown;
    freeform?:   boolean;
    name?:       string;
    namespace?:  string;
    toolCallId?: string;
    alt?:        string;
    data?:       string;
    mimeType?:   string;
    uri?:        string;
    mediaType?:  string;
    title?:      string;
    code?:       string;
    detail?:     unknown;
    message?:    string;
    nativeType?: string;
    value?:      unknown;
    [property: string]: unknown;
}

export interface FluffyContext {
    payload: unknown;
    type:    string;
    [property: string]: unknown;
}

export interface PivotGit {
    branch?:     string;
    commit?:     string;
    repository?: string;
    [property: string]: unknown;
}

export interface FluffyPlan {
    content:   string;
    priority?: Priority;
    status:    PlanStatus;
    [property: string]: unknown;
}

export interface TentacledUsage {
    cacheReadTokens?:  number;
    cacheWriteTokens?: number;
    costUsd?:          number;
    inputTokens?:      number;
    outputTokens?:     number;
    reasoningTokens?:  number;
    totalTokens?:      number;
    [property: string]: unknown;
}

export interface EvidenceSource {
    adapter:        string;
    authenticated:  boolean;
    generation?:    number;
    layer:          Layer;
    nativeEventId?: string;
    [property: string]: unknown;
}

export interface Fidelity {
    axis:   string;
    detail: string;
    level:  DeclaredValue;
    [property: string]: unknown;
}

export type DeclaredValue = "preserved" | "partial" | "evidence-only" | "dropped" | "not-in-source";

export type ASPBundleFormat = "asp-bundle";

export interface ASPBundleNative {
    harness:       string;
    sessionId:     string;
    sourcePath?:   string;
    sourceSha256?: string;
    [property: string]: unknown;
}

export interface Pivot {
    approvals:         ApprovalObject[];
    capabilities:      PivotCapabilities;
    cwd?:              string;
    degradedReasons:   string[];
    epoch:             number;
    git?:              PivotGit;
    id:                string;
    messages:          MessageObject[];
    model?:            string;
    nativeSessionId:   string;
    nextSeq:           number;
    pendingActions:    PendingActionObject[];
    projectionVersion: ProjectionVersion;
    revision:          number;
    runs:              RunObject[];
    schemaVersion:     SchemaVersion;
    seq:               number;
    status:            SnapshotStatus;
    title?:            string;
    tools:             ToolObject[];
    turns:             TurnObject[];
    [property: string]: unknown;
}

export interface ApprovalObject {
    createdAt:   string;
    detail?:     unknown;
    id:          string;
    outcome?:    string;
    provenance:  FluffyProvenance;
    revision:    number;
    state:       State;
    toolCallId?: string;
    updatedAt:   string;
    [property: string]: unknown;
}

export interface FluffyProvenance {
    adapter:          string;
    authenticated:    boolean;
    layer:            Layer;
    observationCount: number;
    sourceEventIds:   string[];
    [property: string]: unknown;
}

export interface PivotCapabilities {
    readOnly: boolean;
    settings: { [key: string]: boolean | number | string };
    [property: string]: unknown;
}

export interface MessageObject {
    audience?:   Audience[];
    blocks:      ResultElement[];
    branch?:     string;
    createdAt:   string;
    display?:    string;
    id:          string;
    injected?:   Injected;
    kind?:       PayloadKind;
    model?:      string;
    provenance:  FluffyProvenance;
    revision:    number;
    role:        PayloadRole;
    runId?:      string;
    state:       State;
    stopReason?: string;
    turnId?:     string;
    updatedAt:   string;
    usage?:      TentacledUsage;
    [property: string]: unknown;
}

export interface PendingActionObject {
    createdAt:  string;
    detail?:    unknown;
    id:         string;
    provenance: FluffyProvenance;
    revision:   number;
    state:      State;
    updatedAt:  string;
    [property: string]: unknown;
}

export interface RunObject {
    createdAt:  string;
    id:         string;
    provenance: FluffyProvenance;
    revision:   number;
    state:      State;
    updatedAt:  string;
    [property: string]: unknown;
}

export interface ToolObject {
    arguments:  unknown;
    branch?:    string;
    createdAt:  string;
    id:         string;
    messageId?: string;
    name:       string;
    namespace?: string;
    provenance: FluffyProvenance;
    result?:    FluffyResult;
    revision:   number;
    runId?:     string;
    state:      State;
    turnId?:    string;
    updatedAt:  string;
    [property: string]: unknown;
}

export interface FluffyResult {
    content:       ResultElement[];
    detail?:       unknown;
    isError:       boolean;
    synthetic?:    boolean;
    toolResultId?: string;
    [property: string]: unknown;
}

export interface TurnObject {
    createdAt:  string;
    error?:     string;
    id:         string;
    provenance: FluffyProvenance;
    revision:   number;
    runId?:     string;
    state:      State;
    updatedAt:  string;
    usage?:     TentacledUsage;
    [property: string]: unknown;
}

/**
 * The report of a conversion (--json)
 */
export interface Report {
    asp:         number;
    axes:        { [key: string]: AxeObject };
    dryRun?:     boolean;
    from:        ReportFrom;
    items:       ReportItem[];
    kinds:       { [key: string]: ReportKind };
    losses:      LossObject[];
    notTaken:    ReportNotTaken[];
    receipt?:    string;
    redacted?:   { [key: string]: number };
    sessions:    SessionObject[];
    to:          ReportTo;
    unreadable?: ReportUnreadable[];
    [property: string]: unknown;
}

export interface AxeObject {
    degraded: number;
    dropped:  number;
    kept:     number;
    [property: string]: unknown;
}

export interface ReportFrom {
    harness:  string;
    path:     string;
    versions: string[];
    [property: string]: unknown;
}

export interface ReportItem {
    item:     string;
    kind:     ItemKind;
    note?:    string;
    outcome:  ItemOutcome;
    project?: string;
    reason?:  Reason;
    scope:    string;
    [property: string]: unknown;
}

export type ItemKind = "instructions" | "skills" | "tools" | "memory" | "settings";

export type ItemOutcome = "written" | "changed" | "present" | "left";

export interface ReportKind {
    read:    number;
    written: number;
    [property: string]: unknown;
}

export interface LossObject {
    axis:   Axis;
    count:  number;
    kind:   LossKind;
    level:  LossLevel;
    places: PlaceObject[];
    reason: Reason;
    [property: string]: unknown;
}

export interface PlaceObject {
    item?:    string;
    record?:  number;
    session?: string;
    [property: string]: unknown;
}

export interface ReportNotTaken {
    item?:  string;
    kind:   string;
    reason: string;
    [property: string]: unknown;
}

export interface SessionObject {
    cwd?:      string;
    files:     string[];
    harness:   string;
    how:       How;
    id:        string;
    messages:  number;
    newId:     string;
    outcome:   SessionOutcome;
    parent?:   string;
    records:   FluffyRecords;
    relation?: PurpleRelation;
    resume?:   PurpleResume;
    returned?: PurpleReturned;
    title?:    string;
    toolCalls: number;
    [property: string]: unknown;
}

export type How = "replayed" | "written" | "returned";

export type SessionOutcome = "created" | "unchanged" | "copied";

export interface FluffyRecords {
    evidence: number;
    lost:     number;
    mapped:   number;
    read:     number;
    [property: string]: unknown;
}

export interface PurpleRelation {
    createdAt:       string;
    id:              string;
    sourceSessionId: string;
    targetSessionId: string;
    type:            RelationType;
    typeData?:       FluffyTypeData;
    [property: string]: unknown;
}

export interface FluffyTypeData {
    parentRunId?:      string;
    parentToolCallId?: string;
    sourceHarness?:    string;
    targetHarness?:    string;
    [property: string]: unknown;
}

export interface PurpleResume {
    command: string[];
    cwd?:    string;
    env?:    { [key: string]: string };
    first?:  Array<string[]>;
    [property: string]: unknown;
}

export interface PurpleReturned {
    bytes: number;
    id:    string;
    [property: string]: unknown;
}

export interface ReportTo {
    harness: string;
    path:    string;
    [property: string]: unknown;
}

export interface ReportUnreadable {
    path:   string;
    reason: string;
    [property: string]: unknown;
}

/**
 * A line of a batch's report.ndjson
 */
export interface BatchLine {
    asp:      number;
    error?:   Error;
    from:     BatchLineFrom;
    key:      string;
    losses:   BatchLineLoss[];
    sessions: Session[];
    size:     number;
    sources:  SourceElement[];
    status:   BatchLineStatus;
    to:       string;
    [property: string]: unknown;
}

export interface Error {
    code:    string;
    message: string;
    next?:   string;
    [property: string]: unknown;
}

export interface BatchLineFrom {
    harness: string;
    id:      string;
    path:    string;
    title?:  string;
    [property: string]: unknown;
}

export interface BatchLineLoss {
    axis:   Axis;
    count:  number;
    kind:   LossKind;
    level:  LossLevel;
    places: LossPlace[];
    reason: Reason;
    [property: string]: unknown;
}

export interface LossPlace {
    item?:    string;
    record?:  number;
    session?: string;
    [property: string]: unknown;
}

export interface Session {
    files:     string[];
    how:       How;
    id:        string;
    messages:  number;
    newId:     string;
    parent?:   string;
    records:   TentacledRecords;
    toolCalls: number;
    [property: string]: unknown;
}

export interface TentacledRecords {
    evidence: number;
    lost:     number;
    mapped:   number;
    read:     number;
    [property: string]: unknown;
}

export interface SourceElement {
    bytes:   number;
    mtimeMs: number;
    path:    string;
    sha256:  string;
    [property: string]: unknown;
}

export type BatchLineStatus = "done" | "failed";

/**
 * The report of a comparison (compare --json)
 */
export interface Comparison {
    asp:         number;
    axes:        { [key: string]: ComparisonAxe };
    declared:    { [key: string]: DeclaredValue };
    dryRun?:     boolean;
    from:        ComparisonFrom;
    items:       ComparisonItem[];
    kinds:       { [key: string]: ComparisonKind };
    losses:      ComparisonLoss[];
    notTaken:    ComparisonNotTaken[];
    receipt?:    string;
    redacted?:   { [key: string]: number };
    sessions:    ComparisonSession[];
    to:          ComparisonTo;
    unreadable?: ComparisonUnreadable[];
    [property: string]: unknown;
}

export interface ComparisonAxe {
    degraded: number;
    dropped:  number;
    kept:     number;
    [property: string]: unknown;
}

export interface ComparisonFrom {
    harness:  string;
    path:     string;
    versions: string[];
    [property: string]: unknown;
}

export interface ComparisonItem {
    item:     string;
    kind:     ItemKind;
    note?:    string;
    outcome:  ItemOutcome;
    project?: string;
    reason?:  Reason;
    scope:    string;
    [property: string]: unknown;
}

export interface ComparisonKind {
    read:    number;
    written: number;
    [property: string]: unknown;
}

export interface ComparisonLoss {
    axis:   Axis;
    count:  number;
    kind:   LossKind;
    level:  LossLevel;
    places: LossPlaceObject[];
    reason: Reason;
    [property: string]: unknown;
}

export interface LossPlaceObject {
    item?:    string;
    record?:  number;
    session?: string;
    [property: string]: unknown;
}

export interface ComparisonNotTaken {
    item?:  string;
    kind:   string;
    reason: string;
    [property: string]: unknown;
}

export interface ComparisonSession {
    cwd?:      string;
    files:     string[];
    harness:   string;
    how:       How;
    id:        string;
    messages:  number;
    newId:     string;
    outcome:   SessionOutcome;
    parent?:   string;
    records:   StickyRecords;
    relation?: FluffyRelation;
    resume?:   FluffyResume;
    returned?: FluffyReturned;
    title?:    string;
    toolCalls: number;
    [property: string]: unknown;
}

export interface StickyRecords {
    evidence: number;
    lost:     number;
    mapped:   number;
    read:     number;
    [property: string]: unknown;
}

export interface FluffyRelation {
    createdAt:       string;
    id:              string;
    sourceSessionId: string;
    targetSessionId: string;
    type:            RelationType;
    typeData?:       TentacledTypeData;
    [property: string]: unknown;
}

export interface TentacledTypeData {
    parentRunId?:      string;
    parentToolCallId?: string;
    sourceHarness?:    string;
    targetHarness?:    string;
    [property: string]: unknown;
}

export interface FluffyResume {
    command: string[];
    cwd?:    string;
    env?:    { [key: string]: string };
    first?:  Array<string[]>;
    [property: string]: unknown;
}

export interface FluffyReturned {
    bytes: number;
    id:    string;
    [property: string]: unknown;
}

export interface ComparisonTo {
    harness: string;
    path:    string;
    [property: string]: unknown;
}

export interface ComparisonUnreadable {
    path:   string;
    reason: string;
    [property: string]: unknown;
}

/**
 * Portable instructions
 */
export interface Instructions {
    files: InstructionsFile[];
    [property: string]: unknown;
}

export interface InstructionsFile {
    from:     string;
    globs?:   string[];
    imports?: Import[];
    path:     string;
    project?: string;
    scope:    FileScope;
    source:   string;
    text:     string;
    [property: string]: unknown;
}

export interface Import {
    in:     string;
    path:   string;
    status: ImportStatus;
    [property: string]: unknown;
}

export type ImportStatus = "found" | "missing" | "outside" | "cycle" | "deep";

export type FileScope = "user" | "project" | "local";

/**
 * Portable skills
 */
export interface Skills {
    definitions: Items[];
    skills:      Skill[];
    [property: string]: unknown;
}

export interface Items {
    body:         string;
    description?: string;
    limits:       Limit[];
    name:         string;
    native:       DefinitionNative;
    of:           Of;
    options:      { [key: string]: unknown };
    project?:     string;
    scope:        DefinitionScope;
    [property: string]: unknown;
}

export interface Limit {
    in:    string;
    key:   string;
    value: unknown;
    [property: string]: unknown;
}

export interface DefinitionNative {
    harness: string;
    hash:    string;
    path:    string;
    text?:   string;
    [property: string]: unknown;
}

export type Of = "command" | "agent" | "output-style";

export type DefinitionScope = "user" | "project";

export interface Skill {
    declaredName?: string;
    description?:  string;
    files:         SkillFile[];
    name:          string;
    path?:         string;
    project?:      string;
    restrictions:  Restriction[];
    runs?:         string[];
    scope:         DefinitionScope;
    [property: string]: unknown;
}

export interface SkillFile {
    data?:  string;
    link?:  string;
    mode:   number;
    path:   string;
    sha256: string;
    size:   number;
    [property: string]: unknown;
}

export interface Restriction {
    in:    string;
    key:   string;
    value: unknown;
    [property: string]: unknown;
}

/**
 * Portable MCP servers and hooks
 */
export interface Tools {
    hooks:   Hook[];
    servers: Server[];
    [property: string]: unknown;
}

export interface Hook {
    command?: string;
    event:    string;
    matcher?: string;
    options?: { [key: string]: unknown };
    project?: string;
    scope:    FileScope;
    timeout?: number;
    type:     string;
    [property: string]: unknown;
}

export interface Server {
    _meta:    Meta;
    args?:    string[];
    command?: string;
    env?:     Env[];
    name:     string;
    type?:    ServerType;
    headers?: Header[];
    url?:     string;
    [property: string]: unknown;
}

export interface Meta {
    asp: ASP;
    [property: string]: unknown;
}

export interface ASP {
    approval?:         Approval;
    callTimeoutMs?:    number;
    cwd?:              string;
    disabledTools?:    string[];
    enabled?:          boolean;
    enabledTools?:     string[];
    literal?:          string[];
    native?:           ASPNative;
    oauth?:            Oauth;
    project?:          string;
    scope:             FileScope;
    secrets?:          Secret[];
    startupTimeoutMs?: number;
    toolApproval?:     { [key: string]: Approval };
    [property: string]: unknown;
}

export type Approval = "auto" | "prompt" | "writes" | "approve";

export interface ASPNative {
    harness: string;
    value:   { [key: string]: unknown };
    [property: string]: unknown;
}

export interface Oauth {
    authServerMetadataUrl?: string;
    callbackPort?:          number;
    clientId?:              string;
    scopes?:                string[];
    [property: string]: unknown;
}

export interface Secret {
    at:       string;
    variable: string;
    [property: string]: unknown;
}

export interface Env {
    name:  string;
    value: string;
    [property: string]: unknown;
}

export interface Header {
    name:  string;
    value: string;
    [property: string]: unknown;
}

export type ServerType = "stdio" | "http" | "sse" | "ws";

/**
 * Portable memory notes
 */
export interface Memory {
    notes: Note[];
    [property: string]: unknown;
}

export interface Note {
    deleted?: boolean;
    from:     NoteFrom;
    kind?:    NoteKind;
    path:     string;
    text?:    string;
    [property: string]: unknown;
}

export interface NoteFrom {
    harness:  string;
    path:     string;
    project?: string;
    [property: string]: unknown;
}

export type NoteKind = "note" | "index";

/**
 * Portable settings
 */
export interface Settings {
    harness:      string;
    options:      Option[];
    permissions?: Permission[];
    [property: string]: unknown;
}

export interface Option {
    category?: Category;
    id:        string;
    means?:    string;
    project?:  string;
    scope:     FileScope;
    value:     boolean | number | string;
    [property: string]: unknown;
}

export type Category = "mode" | "model" | "thought_level" | "environment";

export interface Permission {
    command?: string[];
    effect:   Effect;
    project?: string;
    rule:     string;
    scope:    FileScope;
    [property: string]: unknown;
}

export type Effect = "deny" | "ask" | "allow";
