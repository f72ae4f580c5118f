// Made from schema/*.json by `npm run sdk`.

package asp

import "bytes"
import "encoding/json"
import "errors"

func UnmarshalEnvelope(data []byte) (Envelope, error) {
	var r Envelope
	err := json.Unmarshal(data, &r)
	return r, err
}

func (r *Envelope) Marshal() ([]byte, error) {
	return json.Marshal(r)
}

func UnmarshalSnapshot(data []byte) (Snapshot, error) {
	var r Snapshot
	err := json.Unmarshal(data, &r)
	return r, err
}

func (r *Snapshot) Marshal() ([]byte, error) {
	return json.Marshal(r)
}

func UnmarshalRelation(data []byte) (Relation, error) {
	var r Relation
	err := json.Unmarshal(data, &r)
	return r, err
}

func (r *Relation) Marshal() ([]byte, error) {
	return json.Marshal(r)
}

func UnmarshalBundleManifest(data []byte) (BundleManifest, error) {
	var r BundleManifest
	err := json.Unmarshal(data, &r)
	return r, err
}

func (r *BundleManifest) Marshal() ([]byte, error) {
	return json.Marshal(r)
}

func UnmarshalASPBundle(data []byte) (ASPBundle, error) {
	var r ASPBundle
	err := json.Unmarshal(data, &r)
	return r, err
}

func (r *ASPBundle) Marshal() ([]byte, error) {
	return json.Marshal(r)
}

func UnmarshalReport(data []byte) (Report, error) {
	var r Report
	err := json.Unmarshal(data, &r)
	return r, err
}

func (r *Report) Marshal() ([]byte, error) {
	return json.Marshal(r)
}

func UnmarshalBatchLine(data []byte) (BatchLine, error) {
	var r BatchLine
	err := json.Unmarshal(data, &r)
	return r, err
}

func (r *BatchLine) Marshal() ([]byte, error) {
	return json.Marshal(r)
}

func UnmarshalComparison(data []byte) (Comparison, error) {
	var r Comparison
	err := json.Unmarshal(data, &r)
	return r, err
}

func (r *Comparison) Marshal() ([]byte, error) {
	return json.Marshal(r)
}

func UnmarshalInstructions(data []byte) (Instructions, error) {
	var r Instructions
	err := json.Unmarshal(data, &r)
	return r, err
}

func (r *Instructions) Marshal() ([]byte, error) {
	return json.Marshal(r)
}

func UnmarshalSkills(data []byte) (Skills, error) {
	var r Skills
	err := json.Unmarshal(data, &r)
	return r, err
}

func (r *Skills) Marshal() ([]byte, error) {
	return json.Marshal(r)
}

func UnmarshalTools(data []byte) (Tools, error) {
	var r Tools
	err := json.Unmarshal(data, &r)
	return r, err
}

func (r *Tools) Marshal() ([]byte, error) {
	return json.Marshal(r)
}

func UnmarshalMemory(data []byte) (Memory, error) {
	var r Memory
	err := json.Unmarshal(data, &r)
	return r, err
}

func (r *Memory) Marshal() ([]byte, error) {
	return json.Marshal(r)
}

func UnmarshalSettings(data []byte) (Settings, error) {
	var r Settings
	err := json.Unmarshal(data, &r)
	return r, err
}

func (r *Settings) Marshal() ([]byte, error) {
	return json.Marshal(r)
}

// An event of a session's log (L1), one a line of events.ndjson
type Envelope struct {
	Authority      Authority            `json:"authority"`
	Branch         *string              `json:"branch,omitempty"`
	BranchFrom     *string              `json:"branchFrom,omitempty"`
	Confidence     float64              `json:"confidence"`
	Correlation    *EnvelopeCorrelation `json:"correlation,omitempty"`
	EntityRevision *int64               `json:"entityRevision,omitempty"`
	EventID        string               `json:"eventId"`
	Evidence       []EvidenceElement    `json:"evidence,omitempty"`
	Payload        EnvelopePayload      `json:"payload"`
	SchemaVersion  SchemaVersion        `json:"schemaVersion"`
	SessionID      string               `json:"sessionId"`
	Source         EnvelopeSource       `json:"source"`
	Timestamp      string               `json:"timestamp"`
	TimestampFrom  *TimestampFrom       `json:"timestampFrom,omitempty"`
	Type           EnvelopeType         `json:"type"`
}

type EnvelopeCorrelation struct {
	AgentSessionID *string `json:"agentSessionId,omitempty"`
	ClientActionID *string `json:"clientActionId,omitempty"`
	MessageID      *string `json:"messageId,omitempty"`
	ParentID       *string `json:"parentId,omitempty"`
	RunID          *string `json:"runId,omitempty"`
	ToolCallID     *string `json:"toolCallId,omitempty"`
	ToolResultID   *string `json:"toolResultId,omitempty"`
	TurnID         *string `json:"turnId,omitempty"`
}

type EvidenceElement struct {
	Blob   string `json:"blob"`
	File   *int64 `json:"file,omitempty"`
	Length int64  `json:"length"`
	Offset int64  `json:"offset"`
	Record int64  `json:"record"`
}

type EnvelopePayload struct {
	Cwd             *string           `json:"cwd,omitempty"`
	Git             *PurpleGit        `json:"git,omitempty"`
	HarnessVersion  *string           `json:"harnessVersion,omitempty"`
	Model           *string           `json:"model,omitempty"`
	NativeSessionID *string           `json:"nativeSessionId,omitempty"`
	Title           *string           `json:"title,omitempty"`
	Reason          *string           `json:"reason,omitempty"`
	TitleBy         *TitleBy          `json:"titleBy,omitempty"`
	Settings        map[string]*Value `json:"settings,omitempty"`
	Text            *string           `json:"text,omitempty"`
	RunID           *string           `json:"runId,omitempty"`
	Status          *string           `json:"status,omitempty"`
	TurnID          *string           `json:"turnId,omitempty"`
	Error           *string           `json:"error,omitempty"`
	Usage           *PurpleUsage      `json:"usage,omitempty"`
	MessageID       *string           `json:"messageId,omitempty"`
	Role            *PayloadRole      `json:"role,omitempty"`
	Audience        []Audience        `json:"audience,omitempty"`
	Blocks          []BlockElement    `json:"blocks,omitempty"`
	Display         *string           `json:"display,omitempty"`
	Injected        *Injected         `json:"injected,omitempty"`
	Kind            *PayloadKind      `json:"kind,omitempty"`
	Revision        *float64          `json:"revision,omitempty"`
	StopReason      *string           `json:"stopReason,omitempty"`
	Arguments       interface{}       `json:"arguments"`
	Name            *string           `json:"name,omitempty"`
	ToolCallID      *string           `json:"toolCallId,omitempty"`
	Content         []BlockElement    `json:"content,omitempty"`
	Detail          interface{}       `json:"detail"`
	IsError         *bool             `json:"isError,omitempty"`
	Result          []BlockElement    `json:"result,omitempty"`
	Synthetic       *bool             `json:"synthetic,omitempty"`
	ToolResultID    *string           `json:"toolResultId,omitempty"`
	ApprovalID      *string           `json:"approvalId,omitempty"`
	Outcome         *string           `json:"outcome,omitempty"`
	MediaType       *string           `json:"mediaType,omitempty"`
	URI             *string           `json:"uri,omitempty"`
	Plan            []PurplePlan      `json:"plan,omitempty"`
	ClientActionID  *string           `json:"clientActionId,omitempty"`
	Context         []PurpleContext   `json:"context,omitempty"`
	Trigger         *Trigger          `json:"trigger,omitempty"`
	Turns           *float64          `json:"turns,omitempty"`
	Axis            *string           `json:"axis,omitempty"`
	NativeType      *string           `json:"nativeType,omitempty"`
	Value           interface{}       `json:"value"`
}

type BlockElement struct {
	Text         *string         `json:"text,omitempty"`
	Type         BlockType       `json:"type"`
	Signature    *string         `json:"signature,omitempty"`
	Arguments    interface{}     `json:"arguments"`
	Freeform     *bool           `json:"freeform,omitempty"`
	Name         *string         `json:"name,omitempty"`
	Namespace    *string         `json:"namespace,omitempty"`
	ToolCallID   *string         `json:"toolCallId,omitempty"`
	Alt          *string         `json:"alt,omitempty"`
	Data         *string         `json:"data,omitempty"`
	MIMEType     *string         `json:"mimeType,omitempty"`
	URI          *string         `json:"uri,omitempty"`
	MediaType    *string         `json:"mediaType,omitempty"`
	Title        *string         `json:"title,omitempty"`
	Code         *string         `json:"code,omitempty"`
	Detail       interface{}     `json:"detail"`
	Message      *string         `json:"message,omitempty"`
	NativeType   *string         `json:"nativeType,omitempty"`
	Value        interface{}     `json:"value"`
	Content      []PurpleContent `json:"content,omitempty"`
	IsError      *bool           `json:"isError,omitempty"`
	ToolResultID *string         `json:"toolResultId,omitempty"`
}

type PurpleContent struct {
	Text       *string     `json:"text,omitempty"`
	Type       PurpleType  `json:"type"`
	Signature  *string     `json:"signature,omitempty"`
	Arguments  interface{} `json:"arguments"`
	Freeform   *bool       `json:"freeform,omitempty"`
	Name       *string     `json:"name,omitempty"`
	Namespace  *string     `json:"namespace,omitempty"`
	ToolCallID *string     `json:"toolCallId,omitempty"`
	Alt        *string     `json:"alt,omitempty"`
	Data       *string     `json:"data,omitempty"`
	MIMEType   *string     `json:"mimeType,omitempty"`
	URI        *string     `json:"uri,omitempty"`
	MediaType  *string     `json:"mediaType,omitempty"`
	Title      *string     `json:"title,omitempty"`
	Code       *string     `json:"code,omitempty"`
	Detail     interface{} `json:"detail"`
	Message    *string     `json:"message,omitempty"`
	NativeType *string     `json:"nativeType,omitempty"`
	Value      interface{} `json:"value"`
}

type PurpleContext struct {
	Payload interface{} `json:"payload"`
	Type    string      `json:"type"`
}

type PurpleGit struct {
	Branch     *string `json:"branch,omitempty"`
	Commit     *string `json:"commit,omitempty"`
	Repository *string `json:"repository,omitempty"`
}

type PurplePlan struct {
	Content  string     `json:"content"`
	Priority *Priority  `json:"priority,omitempty"`
	Status   PlanStatus `json:"status"`
}

type PurpleUsage struct {
	CacheReadTokens  *float64 `json:"cacheReadTokens,omitempty"`
	CacheWriteTokens *float64 `json:"cacheWriteTokens,omitempty"`
	CostUsd          *float64 `json:"costUsd,omitempty"`
	InputTokens      *float64 `json:"inputTokens,omitempty"`
	OutputTokens     *float64 `json:"outputTokens,omitempty"`
	ReasoningTokens  *float64 `json:"reasoningTokens,omitempty"`
	TotalTokens      *float64 `json:"totalTokens,omitempty"`
}

type EnvelopeSource struct {
	Adapter       string  `json:"adapter"`
	Authenticated bool    `json:"authenticated"`
	Generation    *int64  `json:"generation,omitempty"`
	Layer         Layer   `json:"layer"`
	NativeEventID *string `json:"nativeEventId,omitempty"`
}

// A session as its log projects (L2, projection 1.1)
type Snapshot struct {
	Approvals         []ApprovalElement      `json:"approvals"`
	Capabilities      SnapshotCapabilities   `json:"capabilities"`
	Cwd               *string                `json:"cwd,omitempty"`
	DegradedReasons   []string               `json:"degradedReasons"`
	Epoch             int64                  `json:"epoch"`
	Git               *SnapshotGit           `json:"git,omitempty"`
	ID                string                 `json:"id"`
	Messages          []MessageElement       `json:"messages"`
	Model             *string                `json:"model,omitempty"`
	NativeSessionID   string                 `json:"nativeSessionId"`
	NextSeq           int64                  `json:"nextSeq"`
	PendingActions    []PendingActionElement `json:"pendingActions"`
	ProjectionVersion ProjectionVersion      `json:"projectionVersion"`
	Revision          int64                  `json:"revision"`
	Runs              []RunElement           `json:"runs"`
	SchemaVersion     SchemaVersion          `json:"schemaVersion"`
	Seq               int64                  `json:"seq"`
	Status            SnapshotStatus         `json:"status"`
	Title             *string                `json:"title,omitempty"`
	Tools             []ToolElement          `json:"tools"`
	Turns             []TurnElement          `json:"turns"`
}

type ApprovalElement struct {
	CreatedAt  string           `json:"createdAt"`
	Detail     interface{}      `json:"detail"`
	ID         string           `json:"id"`
	Outcome    *string          `json:"outcome,omitempty"`
	Provenance PurpleProvenance `json:"provenance"`
	Revision   int64            `json:"revision"`
	State      State            `json:"state"`
	ToolCallID *string          `json:"toolCallId,omitempty"`
	UpdatedAt  string           `json:"updatedAt"`
}

type PurpleProvenance struct {
	Adapter          string   `json:"adapter"`
	Authenticated    bool     `json:"authenticated"`
	Layer            Layer    `json:"layer"`
	ObservationCount int64    `json:"observationCount"`
	SourceEventIDS   []string `json:"sourceEventIds"`
}

type SnapshotCapabilities struct {
	ReadOnly bool              `json:"readOnly"`
	Settings map[string]*Value `json:"settings"`
}

type SnapshotGit struct {
	Branch     *string `json:"branch,omitempty"`
	Commit     *string `json:"commit,omitempty"`
	Repository *string `json:"repository,omitempty"`
}

type MessageElement struct {
	Audience   []Audience       `json:"audience,omitempty"`
	Blocks     []ContentElement `json:"blocks"`
	Branch     *string          `json:"branch,omitempty"`
	CreatedAt  string           `json:"createdAt"`
	Display    *string          `json:"display,omitempty"`
	ID         string           `json:"id"`
	Injected   *Injected        `json:"injected,omitempty"`
	Kind       *PayloadKind     `json:"kind,omitempty"`
	Model      *string          `json:"model,omitempty"`
	Provenance PurpleProvenance `json:"provenance"`
	Revision   int64            `json:"revision"`
	Role       PayloadRole      `json:"role"`
	RunID      *string          `json:"runId,omitempty"`
	State      State            `json:"state"`
	StopReason *string          `json:"stopReason,omitempty"`
	TurnID     *string          `json:"turnId,omitempty"`
	UpdatedAt  string           `json:"updatedAt"`
	Usage      *FluffyUsage     `json:"usage,omitempty"`
}

type ContentElement struct {
	Text         *string         `json:"text,omitempty"`
	Type         BlockType       `json:"type"`
	Signature    *string         `json:"signature,omitempty"`
	Arguments    interface{}     `json:"arguments"`
	Freeform     *bool           `json:"freeform,omitempty"`
	Name         *string         `json:"name,omitempty"`
	Namespace    *string         `json:"namespace,omitempty"`
	ToolCallID   *string         `json:"toolCallId,omitempty"`
	Alt          *string         `json:"alt,omitempty"`
	Data         *string         `json:"data,omitempty"`
	MIMEType     *string         `json:"mimeType,omitempty"`
	URI          *string         `json:"uri,omitempty"`
	MediaType    *string         `json:"mediaType,omitempty"`
	Title        *string         `json:"title,omitempty"`
	Code         *string         `json:"code,omitempty"`
	Detail       interface{}     `json:"detail"`
	Message      *string         `json:"message,omitempty"`
	NativeType   *string         `json:"nativeType,omitempty"`
	Value        interface{}     `json:"value"`
	Content      []FluffyContent `json:"content,omitempty"`
	IsError      *bool           `json:"isError,omitempty"`
	ToolResultID *string         `json:"toolResultId,omitempty"`
}

type FluffyContent struct {
	Text       *string     `json:"text,omitempty"`
	Type       PurpleType  `json:"type"`
	Signature  *string     `json:"signature,omitempty"`
	Arguments  interface{} `json:"arguments"`
	Freeform   *bool       `json:"freeform,omitempty"`
	Name       *string     `json:"name,omitempty"`
	Namespace  *string     `json:"namespace,omitempty"`
	ToolCallID *string     `json:"toolCallId,omitempty"`
	Alt        *string     `json:"alt,omitempty"`
	Data       *string     `json:"data,omitempty"`
	MIMEType   *string     `json:"mimeType,omitempty"`
	URI        *string     `json:"uri,omitempty"`
	MediaType  *string     `json:"mediaType,omitempty"`
	Title      *string     `json:"title,omitempty"`
	Code       *string     `json:"code,omitempty"`
	Detail     interface{} `json:"detail"`
	Message    *string     `json:"message,omitempty"`
	NativeType *string     `json:"nativeType,omitempty"`
	Value      interface{} `json:"value"`
}

type FluffyUsage struct {
	CacheReadTokens  *float64 `json:"cacheReadTokens,omitempty"`
	CacheWriteTokens *float64 `json:"cacheWriteTokens,omitempty"`
	CostUsd          *float64 `json:"costUsd,omitempty"`
	InputTokens      *float64 `json:"inputTokens,omitempty"`
	OutputTokens     *float64 `json:"outputTokens,omitempty"`
	ReasoningTokens  *float64 `json:"reasoningTokens,omitempty"`
	TotalTokens      *float64 `json:"totalTokens,omitempty"`
}

type PendingActionElement struct {
	CreatedAt  string           `json:"createdAt"`
	Detail     interface{}      `json:"detail"`
	ID         string           `json:"id"`
	Provenance PurpleProvenance `json:"provenance"`
	Revision   int64            `json:"revision"`
	State      State            `json:"state"`
	UpdatedAt  string           `json:"updatedAt"`
}

type RunElement struct {
	CreatedAt  string           `json:"createdAt"`
	ID         string           `json:"id"`
	Provenance PurpleProvenance `json:"provenance"`
	Revision   int64            `json:"revision"`
	State      State            `json:"state"`
	UpdatedAt  string           `json:"updatedAt"`
}

type ToolElement struct {
	Arguments  interface{}      `json:"arguments"`
	Branch     *string          `json:"branch,omitempty"`
	CreatedAt  string           `json:"createdAt"`
	ID         string           `json:"id"`
	MessageID  *string          `json:"messageId,omitempty"`
	Name       string           `json:"name"`
	Namespace  *string          `json:"namespace,omitempty"`
	Provenance PurpleProvenance `json:"provenance"`
	Result     *PurpleResult    `json:"result,omitempty"`
	Revision   int64            `json:"revision"`
	RunID      *string          `json:"runId,omitempty"`
	State      State            `json:"state"`
	TurnID     *string          `json:"turnId,omitempty"`
	UpdatedAt  string           `json:"updatedAt"`
}

type PurpleResult struct {
	Content      []ContentElement `json:"content"`
	Detail       interface{}      `json:"detail"`
	IsError      bool             `json:"isError"`
	Synthetic    *bool            `json:"synthetic,omitempty"`
	ToolResultID *string          `json:"toolResultId,omitempty"`
}

type TurnElement struct {
	CreatedAt  string           `json:"createdAt"`
	Error      *string          `json:"error,omitempty"`
	ID         string           `json:"id"`
	Provenance PurpleProvenance `json:"provenance"`
	Revision   int64            `json:"revision"`
	RunID      *string          `json:"runId,omitempty"`
	State      State            `json:"state"`
	UpdatedAt  string           `json:"updatedAt"`
	Usage      *FluffyUsage     `json:"usage,omitempty"`
}

// How one session descends from another
type Relation struct {
	CreatedAt       string          `json:"createdAt"`
	ID              string          `json:"id"`
	SourceSessionID string          `json:"sourceSessionId"`
	TargetSessionID string          `json:"targetSessionId"`
	Type            RelationType    `json:"type"`
	TypeData        *PurpleTypeData `json:"typeData,omitempty"`
}

type PurpleTypeData struct {
	ParentRunID      *string `json:"parentRunId,omitempty"`
	ParentToolCallID *string `json:"parentToolCallId,omitempty"`
	SourceHarness    *string `json:"sourceHarness,omitempty"`
	TargetHarness    *string `json:"targetHarness,omitempty"`
}

// manifest.json of a portable bundle folder
type BundleManifest struct {
	Format        BundleManifestFormat `json:"format"`
	SchemaVersion SchemaVersion        `json:"schemaVersion"`
	Sessions      []SessionElement     `json:"sessions"`
	Version       float64              `json:"version"`
}

type SessionElement struct {
	Archived        *bool               `json:"archived,omitempty"`
	Axes            map[string]AxeValue `json:"axes"`
	Children        []string            `json:"children"`
	CreatedAt       *string             `json:"createdAt,omitempty"`
	Cwd             *string             `json:"cwd,omitempty"`
	Events          Events              `json:"events"`
	Files           []FileElement       `json:"files"`
	Git             *SessionGit         `json:"git,omitempty"`
	Harness         string              `json:"harness"`
	HarnessVersion  *string             `json:"harnessVersion,omitempty"`
	ID              string              `json:"id"`
	Losses          []LossElement       `json:"losses"`
	Messages        int64               `json:"messages"`
	Model           *string             `json:"model,omitempty"`
	NativeSessionID string              `json:"nativeSessionId"`
	Parent          *Parent             `json:"parent,omitempty"`
	Records         PurpleRecords       `json:"records"`
	TimesInferred   *bool               `json:"timesInferred,omitempty"`
	Title           *string             `json:"title,omitempty"`
	TitleFrom       *TitleFrom          `json:"titleFrom,omitempty"`
	ToolCalls       int64               `json:"toolCalls"`
	UpdatedAt       *string             `json:"updatedAt,omitempty"`
}

type AxeValue struct {
	Degraded int64 `json:"degraded"`
	Dropped  int64 `json:"dropped"`
	Kept     int64 `json:"kept"`
}

type Events struct {
	Bytes  int64  `json:"bytes"`
	Count  int64  `json:"count"`
	Sha256 string `json:"sha256"`
}

type FileElement struct {
	Blob     string    `json:"blob"`
	Encoding *Encoding `json:"encoding,omitempty"`
	Mode     *int64    `json:"mode,omitempty"`
	MtimeMS  *float64  `json:"mtimeMs,omitempty"`
	Relative string    `json:"relative"`
	Role     FileRole  `json:"role"`
	Size     int64     `json:"size"`
}

type SessionGit struct {
	Branch     *string `json:"branch,omitempty"`
	Commit     *string `json:"commit,omitempty"`
	Repository *string `json:"repository,omitempty"`
}

type LossElement struct {
	Axis   Axis           `json:"axis"`
	Count  int64          `json:"count"`
	Kind   LossKind       `json:"kind"`
	Level  LossLevel      `json:"level"`
	Places []PlaceElement `json:"places"`
	Reason Reason         `json:"reason"`
}

type PlaceElement struct {
	Item    *string `json:"item,omitempty"`
	Record  *int64  `json:"record,omitempty"`
	Session *string `json:"session,omitempty"`
}

type Parent struct {
	ID         string       `json:"id"`
	Relation   RelationEnum `json:"relation"`
	ToolCallID *string      `json:"toolCallId,omitempty"`
}

type PurpleRecords struct {
	Evidence int64 `json:"evidence"`
	Lost     int64 `json:"lost"`
	Mapped   int64 `json:"mapped"`
	Read     int64 `json:"read"`
}

// One session in one file (asp-bundle, version 1)
type ASPBundle struct {
	CreatedAt string          `json:"createdAt"`
	Evidence  []Evidence      `json:"evidence"`
	Fidelity  []Fidelity      `json:"fidelity"`
	Format    ASPBundleFormat `json:"format"`
	Loss      []string        `json:"loss"`
	Native    ASPBundleNative `json:"native"`
	Pivot     Pivot           `json:"pivot"`
	Version   float64         `json:"version"`
}

type Evidence struct {
	Authority      Authority            `json:"authority"`
	Branch         *string              `json:"branch,omitempty"`
	BranchFrom     *string              `json:"branchFrom,omitempty"`
	Confidence     float64              `json:"confidence"`
	Correlation    *EvidenceCorrelation `json:"correlation,omitempty"`
	EntityRevision *int64               `json:"entityRevision,omitempty"`
	EventID        string               `json:"eventId"`
	Evidence       []EvidenceClass      `json:"evidence,omitempty"`
	Payload        EvidencePayload      `json:"payload"`
	SchemaVersion  SchemaVersion        `json:"schemaVersion"`
	SessionID      string               `json:"sessionId"`
	Source         EvidenceSource       `json:"source"`
	Timestamp      string               `json:"timestamp"`
	TimestampFrom  *TimestampFrom       `json:"timestampFrom,omitempty"`
	Type           EnvelopeType         `json:"type"`
}

type EvidenceCorrelation struct {
	AgentSessionID *string `json:"agentSessionId,omitempty"`
	ClientActionID *string `json:"clientActionId,omitempty"`
	MessageID      *string `json:"messageId,omitempty"`
	ParentID       *string `json:"parentId,omitempty"`
	RunID          *string `json:"runId,omitempty"`
	ToolCallID     *string `json:"toolCallId,omitempty"`
	ToolResultID   *string `json:"toolResultId,omitempty"`
	TurnID         *string `json:"turnId,omitempty"`
}

type EvidenceClass struct {
	Blob   string `json:"blob"`
	File   *int64 `json:"file,omitempty"`
	Length int64  `json:"length"`
	Offset int64  `json:"offset"`
	Record int64  `json:"record"`
}

type EvidencePayload struct {
	Cwd             *string           `json:"cwd,omitempty"`
	Git             *PivotGit         `json:"git,omitempty"`
	HarnessVersion  *string           `json:"harnessVersion,omitempty"`
	Model           *string           `json:"model,omitempty"`
	NativeSessionID *string           `json:"nativeSessionId,omitempty"`
	Title           *string           `json:"title,omitempty"`
	Reason          *string           `json:"reason,omitempty"`
	TitleBy         *TitleBy          `json:"titleBy,omitempty"`
	Settings        map[string]*Value `json:"settings,omitempty"`
	Text            *string           `json:"text,omitempty"`
	RunID           *string           `json:"runId,omitempty"`
	Status          *string           `json:"status,omitempty"`
	TurnID          *string           `json:"turnId,omitempty"`
	Error           *string           `json:"error,omitempty"`
	Usage           *TentacledUsage   `json:"usage,omitempty"`
	MessageID       *string           `json:"messageId,omitempty"`
	Role            *PayloadRole      `json:"role,omitempty"`
	Audience        []Audience        `json:"audience,omitempty"`
	Blocks          []ResultElement   `json:"blocks,omitempty"`
	Display         *string           `json:"display,omitempty"`
	Injected        *Injected         `json:"injected,omitempty"`
	Kind            *PayloadKind      `json:"kind,omitempty"`
	Revision        *float64          `json:"revision,omitempty"`
	StopReason      *string           `json:"stopReason,omitempty"`
	Arguments       interface{}       `json:"arguments"`
	Name            *string           `json:"name,omitempty"`
	ToolCallID      *string           `json:"toolCallId,omitempty"`
	Content         []ResultElement   `json:"content,omitempty"`
	Detail          interface{}       `json:"detail"`
	IsError         *bool             `json:"isError,omitempty"`
	Result          []ResultElement   `json:"result,omitempty"`
	Synthetic       *bool             `json:"synthetic,omitempty"`
	ToolResultID    *string           `json:"toolResultId,omitempty"`
	ApprovalID      *string           `json:"approvalId,omitempty"`
	Outcome         *string           `json:"outcome,omitempty"`
	MediaType       *string           `json:"mediaType,omitempty"`
	URI             *string           `json:"uri,omitempty"`
	Plan            []FluffyPlan      `json:"plan,omitempty"`
	ClientActionID  *string           `json:"clientActionId,omitempty"`
	Context         []FluffyContext   `json:"context,omitempty"`
	Trigger         *Trigger          `json:"trigger,omitempty"`
	Turns           *float64          `json:"turns,omitempty"`
	Axis            *string           `json:"axis,omitempty"`
	NativeType      *string           `json:"nativeType,omitempty"`
	Value           interface{}       `json:"value"`
}

type ResultElement struct {
	Text         *string            `json:"text,omitempty"`
	Type         BlockType          `json:"type"`
	Signature    *string            `json:"signature,omitempty"`
	Arguments    interface{}        `json:"arguments"`
	Freeform     *bool              `json:"freeform,omitempty"`
	Name         *string            `json:"name,omitempty"`
	Namespace    *string            `json:"namespace,omitempty"`
	ToolCallID   *string            `json:"toolCallId,omitempty"`
	Alt          *string            `json:"alt,omitempty"`
	Data         *string            `json:"data,omitempty"`
	MIMEType     *string            `json:"mimeType,omitempty"`
	URI          *string            `json:"uri,omitempty"`
	MediaType    *string            `json:"mediaType,omitempty"`
	Title        *string            `json:"title,omitempty"`
	Code         *string            `json:"code,omitempty"`
	Detail       interface{}        `json:"detail"`
	Message      *string            `json:"message,omitempty"`
	NativeType   *string            `json:"nativeType,omitempty"`
	Value        interface{}        `json:"value"`
	Content      []TentacledContent `json:"content,omitempty"`
	IsError      *bool              `json:"isError,omitempty"`
	ToolResultID *string            `json:"toolResultId,omitempty"`
}

type TentacledContent struct {
	Text       *string     `json:"text,omitempty"`
	Type       PurpleType  `json:"type"`
	Signature  *string     `json:"signature,omitempty"`
	Arguments  interface{} `json:"arguments"`
	Freeform   *bool       `json:"freeform,omitempty"`
	Name       *string     `json:"name,omitempty"`
	Namespace  *string     `json:"namespace,omitempty"`
	ToolCallID *string     `json:"toolCallId,omitempty"`
	Alt        *string     `json:"alt,omitempty"`
	Data       *string     `json:"data,omitempty"`
	MIMEType   *string     `json:"mimeType,omitempty"`
	URI        *string     `json:"uri,omitempty"`
	MediaType  *string     `json:"mediaType,omitempty"`
	Title      *string     `json:"title,omitempty"`
	Code       *string     `json:"code,omitempty"`
	Detail     interface{} `json:"detail"`
	Message    *string     `json:"message,omitempty"`
	NativeType *string     `json:"nativeType,omitempty"`
	Value      interface{} `json:"value"`
}

type FluffyContext struct {
	Payload interface{} `json:"payload"`
	Type    string      `json:"type"`
}

type PivotGit struct {
	Branch     *string `json:"branch,omitempty"`
	Commit     *string `json:"commit,omitempty"`
	Repository *string `json:"repository,omitempty"`
}

type FluffyPlan struct {
	Content  string     `json:"content"`
	Priority *Priority  `json:"priority,omitempty"`
	Status   PlanStatus `json:"status"`
}

type TentacledUsage struct {
	CacheReadTokens  *float64 `json:"cacheReadTokens,omitempty"`
	CacheWriteTokens *float64 `json:"cacheWriteTokens,omitempty"`
	CostUsd          *float64 `json:"costUsd,omitempty"`
	InputTokens      *float64 `json:"inputTokens,omitempty"`
	OutputTokens     *float64 `json:"outputTokens,omitempty"`
	ReasoningTokens  *float64 `json:"reasoningTokens,omitempty"`
	TotalTokens      *float64 `json:"totalTokens,omitempty"`
}

type EvidenceSource struct {
	Adapter       string  `json:"adapter"`
	Authenticated bool    `json:"authenticated"`
	Generation    *int64  `json:"generation,omitempty"`
	Layer         Layer   `json:"layer"`
	NativeEventID *string `json:"nativeEventId,omitempty"`
}

type Fidelity struct {
	Axis   string        `json:"axis"`
	Detail string        `json:"detail"`
	Level  DeclaredValue `json:"level"`
}

type ASPBundleNative struct {
	Harness      string  `json:"harness"`
	SessionID    string  `json:"sessionId"`
	SourcePath   *string `json:"sourcePath,omitempty"`
	SourceSha256 *string `json:"sourceSha256,omitempty"`
}

type Pivot struct {
	Approvals         []ApprovalClass      `json:"approvals"`
	Capabilities      PivotCapabilities    `json:"capabilities"`
	Cwd               *string              `json:"cwd,omitempty"`
	DegradedReasons   []string             `json:"degradedReasons"`
	Epoch             int64                `json:"epoch"`
	Git               *PivotGit            `json:"git,omitempty"`
	ID                string               `json:"id"`
	Messages          []MessageClass       `json:"messages"`
	Model             *string              `json:"model,omitempty"`
	NativeSessionID   string               `json:"nativeSessionId"`
	NextSeq           int64                `json:"nextSeq"`
	PendingActions    []PendingActionClass `json:"pendingActions"`
	ProjectionVersion ProjectionVersion    `json:"projectionVersion"`
	Revision          int64                `json:"revision"`
	Runs              []RunClass           `json:"runs"`
	SchemaVersion     SchemaVersion        `json:"schemaVersion"`
	Seq               int64                `json:"seq"`
	Status            SnapshotStatus       `json:"status"`
	Title             *string              `json:"title,omitempty"`
	Tools             []ToolClass          `json:"tools"`
	Turns             []TurnClass          `json:"turns"`
}

type ApprovalClass struct {
	CreatedAt  string           `json:"createdAt"`
	Detail     interface{}      `json:"detail"`
	ID         string           `json:"id"`
	Outcome    *string          `json:"outcome,omitempty"`
	Provenance FluffyProvenance `json:"provenance"`
	Revision   int64            `json:"revision"`
	State      State            `json:"state"`
	ToolCallID *string          `json:"toolCallId,omitempty"`
	UpdatedAt  string           `json:"updatedAt"`
}

type FluffyProvenance struct {
	Adapter          string   `json:"adapter"`
	Authenticated    bool     `json:"authenticated"`
	Layer            Layer    `json:"layer"`
	ObservationCount int64    `json:"observationCount"`
	SourceEventIDS   []string `json:"sourceEventIds"`
}

type PivotCapabilities struct {
	ReadOnly bool              `json:"readOnly"`
	Settings map[string]*Value `json:"settings"`
}

type MessageClass struct {
	Audience   []Audience       `json:"audience,omitempty"`
	Blocks     []ResultElement  `json:"blocks"`
	Branch     *string          `json:"branch,omitempty"`
	CreatedAt  string           `json:"createdAt"`
	Display    *string          `json:"display,omitempty"`
	ID         string           `json:"id"`
	Injected   *Injected        `json:"injected,omitempty"`
	Kind       *PayloadKind     `json:"kind,omitempty"`
	Model      *string          `json:"model,omitempty"`
	Provenance FluffyProvenance `json:"provenance"`
	Revision   int64            `json:"revision"`
	Role       PayloadRole      `json:"role"`
	RunID      *string          `json:"runId,omitempty"`
	State      State            `json:"state"`
	StopReason *string          `json:"stopReason,omitempty"`
	TurnID     *string          `json:"turnId,omitempty"`
	UpdatedAt  string           `json:"updatedAt"`
	Usage      *TentacledUsage  `json:"usage,omitempty"`
}

type PendingActionClass struct {
	CreatedAt  string           `json:"createdAt"`
	Detail     interface{}      `json:"detail"`
	ID         string           `json:"id"`
	Provenance FluffyProvenance `json:"provenance"`
	Revision   int64            `json:"revision"`
	State      State            `json:"state"`
	UpdatedAt  string           `json:"updatedAt"`
}

type RunClass struct {
	CreatedAt  string           `json:"createdAt"`
	ID         string           `json:"id"`
	Provenance FluffyProvenance `json:"provenance"`
	Revision   int64            `json:"revision"`
	State      State            `json:"state"`
	UpdatedAt  string           `json:"updatedAt"`
}

type ToolClass struct {
	Arguments  interface{}      `json:"arguments"`
	Branch     *string          `json:"branch,omitempty"`
	CreatedAt  string           `json:"createdAt"`
	ID         string           `json:"id"`
	MessageID  *string          `json:"messageId,omitempty"`
	Name       string           `json:"name"`
	Namespace  *string          `json:"namespace,omitempty"`
	Provenance FluffyProvenance `json:"provenance"`
	Result     *FluffyResult    `json:"result,omitempty"`
	Revision   int64            `json:"revision"`
	RunID      *string          `json:"runId,omitempty"`
	State      State            `json:"state"`
	TurnID     *string          `json:"turnId,omitempty"`
	UpdatedAt  string           `json:"updatedAt"`
}

type FluffyResult struct {
	Content      []ResultElement `json:"content"`
	Detail       interface{}     `json:"detail"`
	IsError      bool            `json:"isError"`
	Synthetic    *bool           `json:"synthetic,omitempty"`
	ToolResultID *string         `json:"toolResultId,omitempty"`
}

type TurnClass struct {
	CreatedAt  string           `json:"createdAt"`
	Error      *string          `json:"error,omitempty"`
	ID         string           `json:"id"`
	Provenance FluffyProvenance `json:"provenance"`
	Revision   int64            `json:"revision"`
	RunID      *string          `json:"runId,omitempty"`
	State      State            `json:"state"`
	UpdatedAt  string           `json:"updatedAt"`
	Usage      *TentacledUsage  `json:"usage,omitempty"`
}

// The report of a conversion (--json)
type Report struct {
	ASP        float64               `json:"asp"`
	Axes       map[string]AxeClass   `json:"axes"`
	DryRun     *bool                 `json:"dryRun,omitempty"`
	From       ReportFrom            `json:"from"`
	Items      []ReportItem          `json:"items"`
	Kinds      map[string]ReportKind `json:"kinds"`
	Losses     []LossClass           `json:"losses"`
	NotTaken   []ReportNotTaken      `json:"notTaken"`
	Receipt    *string               `json:"receipt,omitempty"`
	Redacted   map[string]int64      `json:"redacted,omitempty"`
	Sessions   []SessionClass        `json:"sessions"`
	To         ReportTo              `json:"to"`
	Unreadable []ReportUnreadable    `json:"unreadable,omitempty"`
}

type AxeClass struct {
	Degraded int64 `json:"degraded"`
	Dropped  int64 `json:"dropped"`
	Kept     int64 `json:"kept"`
}

type ReportFrom struct {
	Harness  string   `json:"harness"`
	Path     string   `json:"path"`
	Versions []string `json:"versions"`
}

type ReportItem struct {
	Item    string      `json:"item"`
	Kind    ItemKind    `json:"kind"`
	Note    *string     `json:"note,omitempty"`
	Outcome ItemOutcome `json:"outcome"`
	Project *string     `json:"project,omitempty"`
	Reason  *Reason     `json:"reason,omitempty"`
	Scope   string      `json:"scope"`
}

type ReportKind struct {
	Read    int64 `json:"read"`
	Written int64 `json:"written"`
}

type LossClass struct {
	Axis   Axis         `json:"axis"`
	Count  int64        `json:"count"`
	Kind   LossKind     `json:"kind"`
	Level  LossLevel    `json:"level"`
	Places []PlaceClass `json:"places"`
	Reason Reason       `json:"reason"`
}

type PlaceClass struct {
	Item    *string `json:"item,omitempty"`
	Record  *int64  `json:"record,omitempty"`
	Session *string `json:"session,omitempty"`
}

type ReportNotTaken struct {
	Item   *string `json:"item,omitempty"`
	Kind   string  `json:"kind"`
	Reason string  `json:"reason"`
}

type SessionClass struct {
	Cwd       *string         `json:"cwd,omitempty"`
	Files     []string        `json:"files"`
	Harness   string          `json:"harness"`
	How       How             `json:"how"`
	ID        string          `json:"id"`
	Messages  int64           `json:"messages"`
	NewID     string          `json:"newId"`
	Outcome   SessionOutcome  `json:"outcome"`
	Parent    *string         `json:"parent,omitempty"`
	Records   FluffyRecords   `json:"records"`
	Relation  *PurpleRelation `json:"relation,omitempty"`
	Resume    *PurpleResume   `json:"resume,omitempty"`
	Returned  *PurpleReturned `json:"returned,omitempty"`
	Title     *string         `json:"title,omitempty"`
	ToolCalls int64           `json:"toolCalls"`
}

type FluffyRecords struct {
	Evidence int64 `json:"evidence"`
	Lost     int64 `json:"lost"`
	Mapped   int64 `json:"mapped"`
	Read     int64 `json:"read"`
}

type PurpleRelation struct {
	CreatedAt       string          `json:"createdAt"`
	ID              string          `json:"id"`
	SourceSessionID string          `json:"sourceSessionId"`
	TargetSessionID string          `json:"targetSessionId"`
	Type            RelationType    `json:"type"`
	TypeData        *FluffyTypeData `json:"typeData,omitempty"`
}

type FluffyTypeData struct {
	ParentRunID      *string `json:"parentRunId,omitempty"`
	ParentToolCallID *string `json:"parentToolCallId,omitempty"`
	SourceHarness    *string `json:"sourceHarness,omitempty"`
	TargetHarness    *string `json:"targetHarness,omitempty"`
}

type PurpleResume struct {
	Command []string          `json:"command"`
	Cwd     *string           `json:"cwd,omitempty"`
	Env     map[string]string `json:"env,omitempty"`
	First   [][]string        `json:"first,omitempty"`
}

type PurpleReturned struct {
	Bytes int64  `json:"bytes"`
	ID    string `json:"id"`
}

type ReportTo struct {
	Harness string `json:"harness"`
	Path    string `json:"path"`
}

type ReportUnreadable struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// A line of a batch's report.ndjson
type BatchLine struct {
	ASP      float64         `json:"asp"`
	Error    *Error          `json:"error,omitempty"`
	From     BatchLineFrom   `json:"from"`
	Key      string          `json:"key"`
	Losses   []BatchLineLoss `json:"losses"`
	Sessions []Session       `json:"sessions"`
	Size     int64           `json:"size"`
	Sources  []SourceElement `json:"sources"`
	Status   BatchLineStatus `json:"status"`
	To       string          `json:"to"`
}

type Error struct {
	Code    string  `json:"code"`
	Message string  `json:"message"`
	Next    *string `json:"next,omitempty"`
}

type BatchLineFrom struct {
	Harness string  `json:"harness"`
	ID      string  `json:"id"`
	Path    string  `json:"path"`
	Title   *string `json:"title,omitempty"`
}

type BatchLineLoss struct {
	Axis   Axis        `json:"axis"`
	Count  int64       `json:"count"`
	Kind   LossKind    `json:"kind"`
	Level  LossLevel   `json:"level"`
	Places []LossPlace `json:"places"`
	Reason Reason      `json:"reason"`
}

type LossPlace struct {
	Item    *string `json:"item,omitempty"`
	Record  *int64  `json:"record,omitempty"`
	Session *string `json:"session,omitempty"`
}

type Session struct {
	Files     []string         `json:"files"`
	How       How              `json:"how"`
	ID        string           `json:"id"`
	Messages  int64            `json:"messages"`
	NewID     string           `json:"newId"`
	Parent    *string          `json:"parent,omitempty"`
	Records   TentacledRecords `json:"records"`
	ToolCalls int64            `json:"toolCalls"`
}

type TentacledRecords struct {
	Evidence int64 `json:"evidence"`
	Lost     int64 `json:"lost"`
	Mapped   int64 `json:"mapped"`
	Read     int64 `json:"read"`
}

type SourceElement struct {
	Bytes   int64   `json:"bytes"`
	MtimeMS float64 `json:"mtimeMs"`
	Path    string  `json:"path"`
	Sha256  string  `json:"sha256"`
}

// The report of a comparison (compare --json)
type Comparison struct {
	ASP        float64                   `json:"asp"`
	Axes       map[string]ComparisonAxe  `json:"axes"`
	Declared   map[string]DeclaredValue  `json:"declared"`
	DryRun     *bool                     `json:"dryRun,omitempty"`
	From       ComparisonFrom            `json:"from"`
	Items      []ComparisonItem          `json:"items"`
	Kinds      map[string]ComparisonKind `json:"kinds"`
	Losses     []ComparisonLoss          `json:"losses"`
	NotTaken   []ComparisonNotTaken      `json:"notTaken"`
	Receipt    *string                   `json:"receipt,omitempty"`
	Redacted   map[string]int64          `json:"redacted,omitempty"`
	Sessions   []ComparisonSession       `json:"sessions"`
	To         ComparisonTo              `json:"to"`
	Unreadable []ComparisonUnreadable    `json:"unreadable,omitempty"`
}

type ComparisonAxe struct {
	Degraded int64 `json:"degraded"`
	Dropped  int64 `json:"dropped"`
	Kept     int64 `json:"kept"`
}

type ComparisonFrom struct {
	Harness  string   `json:"harness"`
	Path     string   `json:"path"`
	Versions []string `json:"versions"`
}

type ComparisonItem struct {
	Item    string      `json:"item"`
	Kind    ItemKind    `json:"kind"`
	Note    *string     `json:"note,omitempty"`
	Outcome ItemOutcome `json:"outcome"`
	Project *string     `json:"project,omitempty"`
	Reason  *Reason     `json:"reason,omitempty"`
	Scope   string      `json:"scope"`
}

type ComparisonKind struct {
	Read    int64 `json:"read"`
	Written int64 `json:"written"`
}

type ComparisonLoss struct {
	Axis   Axis             `json:"axis"`
	Count  int64            `json:"count"`
	Kind   LossKind         `json:"kind"`
	Level  LossLevel        `json:"level"`
	Places []LossPlaceClass `json:"places"`
	Reason Reason           `json:"reason"`
}

type LossPlaceClass struct {
	Item    *string `json:"item,omitempty"`
	Record  *int64  `json:"record,omitempty"`
	Session *string `json:"session,omitempty"`
}

type ComparisonNotTaken struct {
	Item   *string `json:"item,omitempty"`
	Kind   string  `json:"kind"`
	Reason string  `json:"reason"`
}

type ComparisonSession struct {
	Cwd       *string         `json:"cwd,omitempty"`
	Files     []string        `json:"files"`
	Harness   string          `json:"harness"`
	How       How             `json:"how"`
	ID        string          `json:"id"`
	Messages  int64           `json:"messages"`
	NewID     string          `json:"newId"`
	Outcome   SessionOutcome  `json:"outcome"`
	Parent    *string         `json:"parent,omitempty"`
	Records   StickyRecords   `json:"records"`
	Relation  *FluffyRelation `json:"relation,omitempty"`
	Resume    *FluffyResume   `json:"resume,omitempty"`
	Returned  *FluffyReturned `json:"returned,omitempty"`
	Title     *string         `json:"title,omitempty"`
	ToolCalls int64           `json:"toolCalls"`
}

type StickyRecords struct {
	Evidence int64 `json:"evidence"`
	Lost     int64 `json:"lost"`
	Mapped   int64 `json:"mapped"`
	Read     int64 `json:"read"`
}

type FluffyRelation struct {
	CreatedAt       string             `json:"createdAt"`
	ID              string             `json:"id"`
	SourceSessionID string             `json:"sourceSessionId"`
	TargetSessionID string             `json:"targetSessionId"`
	Type            RelationType       `json:"type"`
	TypeData        *TentacledTypeData `json:"typeData,omitempty"`
}

type TentacledTypeData struct {
	ParentRunID      *string `json:"parentRunId,omitempty"`
	ParentToolCallID *string `json:"parentToolCallId,omitempty"`
	SourceHarness    *string `json:"sourceHarness,omitempty"`
	TargetHarness    *string `json:"targetHarness,omitempty"`
}

type FluffyResume struct {
	Command []string          `json:"command"`
	Cwd     *string           `json:"cwd,omitempty"`
	Env     map[string]string `json:"env,omitempty"`
	First   [][]string        `json:"first,omitempty"`
}

type FluffyReturned struct {
	Bytes int64  `json:"bytes"`
	ID    string `json:"id"`
}

type ComparisonTo struct {
	Harness string `json:"harness"`
	Path    string `json:"path"`
}

type ComparisonUnreadable struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// Portable instructions
type Instructions struct {
	Files []InstructionsFile `json:"files"`
}

type InstructionsFile struct {
	From    string    `json:"from"`
	Globs   []string  `json:"globs,omitempty"`
	Imports []Import  `json:"imports,omitempty"`
	Path    string    `json:"path"`
	Project *string   `json:"project,omitempty"`
	Scope   FileScope `json:"scope"`
	Source  string    `json:"source"`
	Text    string    `json:"text"`
}

type Import struct {
	In     string       `json:"in"`
	Path   string       `json:"path"`
	Status ImportStatus `json:"status"`
}

// Portable skills
type Skills struct {
	Definitions []Items        `json:"definitions"`
	Skills      []SkillElement `json:"skills"`
}

type Items struct {
	Body        string                 `json:"body"`
	Description *string                `json:"description,omitempty"`
	Limits      []Limit                `json:"limits"`
	Name        string                 `json:"name"`
	Native      DefinitionNative       `json:"native"`
	Of          Of                     `json:"of"`
	Options     map[string]interface{} `json:"options"`
	Project     *string                `json:"project,omitempty"`
	Scope       DefinitionScope        `json:"scope"`
}

type Limit struct {
	In    string      `json:"in"`
	Key   string      `json:"key"`
	Value interface{} `json:"value"`
}

type DefinitionNative struct {
	Harness string  `json:"harness"`
	Hash    string  `json:"hash"`
	Path    string  `json:"path"`
	Text    *string `json:"text,omitempty"`
}

type SkillElement struct {
	DeclaredName *string         `json:"declaredName,omitempty"`
	Description  *string         `json:"description,omitempty"`
	Files        []SkillFile     `json:"files"`
	Name         string          `json:"name"`
	Path         *string         `json:"path,omitempty"`
	Project      *string         `json:"project,omitempty"`
	Restrictions []Restriction   `json:"restrictions"`
	Runs         []string        `json:"runs,omitempty"`
	Scope        DefinitionScope `json:"scope"`
}

type SkillFile struct {
	Data   *string `json:"data,omitempty"`
	Link   *string `json:"link,omitempty"`
	Mode   int64   `json:"mode"`
	Path   string  `json:"path"`
	Sha256 string  `json:"sha256"`
	Size   int64   `json:"size"`
}

type Restriction struct {
	In    string      `json:"in"`
	Key   string      `json:"key"`
	Value interface{} `json:"value"`
}

// Portable MCP servers and hooks
type Tools struct {
	Hooks   []Hook   `json:"hooks"`
	Servers []Server `json:"servers"`
}

type Hook struct {
	Command *string                `json:"command,omitempty"`
	Event   string                 `json:"event"`
	Matcher *string                `json:"matcher,omitempty"`
	Options map[string]interface{} `json:"options,omitempty"`
	Project *string                `json:"project,omitempty"`
	Scope   FileScope              `json:"scope"`
	Timeout *float64               `json:"timeout,omitempty"`
	Type    string                 `json:"type"`
}

type Server struct {
	Meta    Meta        `json:"_meta"`
	Args    []string    `json:"args,omitempty"`
	Command *string     `json:"command,omitempty"`
	Env     []Env       `json:"env,omitempty"`
	Name    string      `json:"name"`
	Type    *ServerType `json:"type,omitempty"`
	Headers []Header    `json:"headers,omitempty"`
	URL     *string     `json:"url,omitempty"`
}

type Env struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type Meta struct {
	ASP ASP `json:"asp"`
}

type ASP struct {
	Approval         *Approval           `json:"approval,omitempty"`
	CallTimeoutMS    *float64            `json:"callTimeoutMs,omitempty"`
	Cwd              *string             `json:"cwd,omitempty"`
	DisabledTools    []string            `json:"disabledTools,omitempty"`
	Enabled          *bool               `json:"enabled,omitempty"`
	EnabledTools     []string            `json:"enabledTools,omitempty"`
	Literal          []string            `json:"literal,omitempty"`
	Native           *ASPNative          `json:"native,omitempty"`
	Oauth            *Oauth              `json:"oauth,omitempty"`
	Project          *string             `json:"project,omitempty"`
	Scope            FileScope           `json:"scope"`
	Secrets          []SecretElement     `json:"secrets,omitempty"`
	StartupTimeoutMS *float64            `json:"startupTimeoutMs,omitempty"`
	ToolApproval     map[string]Approval `json:"toolApproval,omitempty"`
}

type ASPNative struct {
	Harness string                 `json:"harness"`
	Value   map[string]interface{} `json:"value"`
}

type Oauth struct {
	AuthServerMetadataURL *string  `json:"authServerMetadataUrl,omitempty"`
	CallbackPort          *float64 `json:"callbackPort,omitempty"`
	ClientID              *string  `json:"clientId,omitempty"`
	Scopes                []string `json:"scopes,omitempty"`
}

type SecretElement struct {
	At       string `json:"at"`
	Variable string `json:"variable"`
}

// Portable memory notes
type Memory struct {
	Notes []NoteElement `json:"notes"`
}

type NoteElement struct {
	Deleted *bool     `json:"deleted,omitempty"`
	From    NoteFrom  `json:"from"`
	Kind    *NoteKind `json:"kind,omitempty"`
	Path    string    `json:"path"`
	Text    *string   `json:"text,omitempty"`
}

type NoteFrom struct {
	Harness string  `json:"harness"`
	Path    string  `json:"path"`
	Project *string `json:"project,omitempty"`
}

// Portable settings
type Settings struct {
	Harness     string       `json:"harness"`
	Options     []Option     `json:"options"`
	Permissions []Permission `json:"permissions,omitempty"`
}

type Option struct {
	Category *Category `json:"category,omitempty"`
	ID       string    `json:"id"`
	Means    *string   `json:"means,omitempty"`
	Project  *string   `json:"project,omitempty"`
	Scope    FileScope `json:"scope"`
	Value    *Value    `json:"value"`
}

type Permission struct {
	Command []string  `json:"command,omitempty"`
	Effect  Effect    `json:"effect"`
	Project *string   `json:"project,omitempty"`
	Rule    string    `json:"rule"`
	Scope   FileScope `json:"scope"`
}

type Authority string

const (
	Authoritative     Authority = "authoritative"
	AuthorityInferred Authority = "inferred"
	SelfReported      Authority = "self_reported"
)

type Audience string

const (
	AudienceAssistant Audience = "assistant"
	AudienceUser      Audience = "user"
)

type PurpleType string

const (
	PurpleError     PurpleType = "error"
	PurpleImage     PurpleType = "image"
	PurpleReference PurpleType = "reference"
	PurpleText      PurpleType = "text"
	PurpleThinking  PurpleType = "thinking"
	PurpleToolCall  PurpleType = "tool-call"
	PurpleUnknown   PurpleType = "unknown"
)

type BlockType string

const (
	FluffyError     BlockType = "error"
	FluffyImage     BlockType = "image"
	FluffyReference BlockType = "reference"
	FluffyText      BlockType = "text"
	FluffyThinking  BlockType = "thinking"
	FluffyToolCall  BlockType = "tool-call"
	FluffyUnknown   BlockType = "unknown"
	ToolResult      BlockType = "tool-result"
)

type Injected string

const (
	Harness         Injected = "harness"
	InjectedCommand Injected = "command"
	InjectedTool    Injected = "tool"
	Notice          Injected = "notice"
	Skill           Injected = "skill"
)

type PayloadKind string

const (
	Queued  PayloadKind = "queued"
	Summary PayloadKind = "summary"
)

type Priority string

const (
	High   Priority = "high"
	Low    Priority = "low"
	Medium Priority = "medium"
)

type PlanStatus string

const (
	InProgress      PlanStatus = "in_progress"
	StatusCompleted PlanStatus = "completed"
	StatusPending   PlanStatus = "pending"
)

type PayloadRole string

const (
	RoleAssistant PayloadRole = "assistant"
	RoleTool      PayloadRole = "tool"
	RoleUnknown   PayloadRole = "unknown"
	RoleUser      PayloadRole = "user"
	System        PayloadRole = "system"
)

type TitleBy string

const (
	TitleByAgent TitleBy = "agent"
	TitleByUser  TitleBy = "user"
)

type Trigger string

const (
	Manual      Trigger = "manual"
	TriggerAuto Trigger = "auto"
)

type SchemaVersion string

const (
	The10 SchemaVersion = "1.0"
)

type Layer string

const (
	L1 Layer = "L1"
	L2 Layer = "L2"
	L3 Layer = "L3"
)

type TimestampFrom string

const (
	None                  TimestampFrom = "none"
	TimestampFromInferred TimestampFrom = "inferred"
)

type EnvelopeType string

const (
	ActionAccepted      EnvelopeType = "action.accepted"
	ActionApplied       EnvelopeType = "action.applied"
	ActionDispatched    EnvelopeType = "action.dispatched"
	ActionIntent        EnvelopeType = "action.intent"
	ActionRejected      EnvelopeType = "action.rejected"
	ActionUnknown       EnvelopeType = "action.unknown"
	ApprovalRequested   EnvelopeType = "approval.requested"
	ApprovalResolved    EnvelopeType = "approval.resolved"
	ArtifactObserved    EnvelopeType = "artifact.observed"
	CapabilitiesChanged EnvelopeType = "capabilities.changed"
	InputObserved       EnvelopeType = "input.observed"
	MessageCompleted    EnvelopeType = "message.completed"
	MessageStarted      EnvelopeType = "message.started"
	MessageUpdated      EnvelopeType = "message.updated"
	RunSettled          EnvelopeType = "run.settled"
	RunStarted          EnvelopeType = "run.started"
	SessionBound        EnvelopeType = "session.bound"
	SessionEnded        EnvelopeType = "session.ended"
	SessionStarted      EnvelopeType = "session.started"
	StatusChanged       EnvelopeType = "status.changed"
	TaskUpdated         EnvelopeType = "task.updated"
	ToolCompleted       EnvelopeType = "tool.completed"
	ToolStarted         EnvelopeType = "tool.started"
	ToolUpdated         EnvelopeType = "tool.updated"
	TurnCompleted       EnvelopeType = "turn.completed"
	TurnStarted         EnvelopeType = "turn.started"
	UnknownObserved     EnvelopeType = "unknown.observed"
)

type State string

const (
	Cancelled      State = "cancelled"
	Running        State = "running"
	StateCompleted State = "completed"
	StateFailed    State = "failed"
	StatePending   State = "pending"
)

type ProjectionVersion string

const (
	The11 ProjectionVersion = "1.1"
)

type SnapshotStatus string

const (
	Degraded SnapshotStatus = "degraded"
	Exited   SnapshotStatus = "exited"
	Idle     SnapshotStatus = "idle"
	Live     SnapshotStatus = "live"
)

type RelationType string

const (
	Compact      RelationType = "compact"
	Handoff      RelationType = "handoff"
	TypeFork     RelationType = "fork"
	TypeResume   RelationType = "resume"
	TypeSubagent RelationType = "subagent"
)

type BundleManifestFormat string

const (
	ASPBundleFolder BundleManifestFormat = "asp-bundle-folder"
)

type Encoding string

const (
	Zstd Encoding = "zstd"
)

type FileRole string

const (
	Ancestor   FileRole = "ancestor"
	Companion  FileRole = "companion"
	Transcript FileRole = "transcript"
)

type Axis string

const (
	Agents            Axis = "agents"
	Approvals         Axis = "approvals"
	AxisInstructions  Axis = "instructions"
	AxisSettings      Axis = "settings"
	AxisSkills        Axis = "skills"
	AxisThinking      Axis = "thinking"
	Branches          Axis = "branches"
	Commands          Axis = "commands"
	Compaction        Axis = "compaction"
	Cwd               Axis = "cwd"
	Documents         Axis = "documents"
	Errors            Axis = "errors"
	FileSnapshots     Axis = "file-snapshots"
	Git               Axis = "git"
	Hooks             Axis = "hooks"
	IDS               Axis = "ids"
	Images            Axis = "images"
	InjectedContext   Axis = "injected-context"
	InstructionScopes Axis = "instruction-scopes"
	Lineage           Axis = "lineage"
	MCPOptions        Axis = "mcp-options"
	MCPServers        Axis = "mcp-servers"
	Messages          Axis = "messages"
	Models            Axis = "models"
	Notes             Axis = "notes"
	OpaqueReasoning   Axis = "opaque-reasoning"
	Options           Axis = "options"
	OutputStyles      Axis = "output-styles"
	Permissions       Axis = "permissions"
	Plans             Axis = "plans"
	Plugins           Axis = "plugins"
	Raw               Axis = "raw"
	Secrets           Axis = "secrets"
	SideRecords       Axis = "side-records"
	SkillRestrictions Axis = "skill-restrictions"
	Subagents         Axis = "subagents"
	Times             Axis = "times"
	Title             Axis = "title"
	ToolCalls         Axis = "tool-calls"
	ToolDetails       Axis = "tool-details"
	ToolResults       Axis = "tool-results"
	Turns             Axis = "turns"
	Usage             Axis = "usage"
)

type LossKind string

const (
	PurpleInstructions LossKind = "instructions"
	PurpleMemory       LossKind = "memory"
	PurpleSettings     LossKind = "settings"
	PurpleSkills       LossKind = "skills"
	PurpleTools        LossKind = "tools"
	Sessions           LossKind = "sessions"
)

type LossLevel string

const (
	PurpleDropped      LossLevel = "dropped"
	PurpleEvidenceOnly LossLevel = "evidence-only"
	PurpleNotInSource  LossLevel = "not-in-source"
	PurplePartial      LossLevel = "partial"
)

type Reason string

const (
	AbandonedBranch   Reason = "abandoned-branch"
	ConsentNeeded     Reason = "consent-needed"
	Damaged           Reason = "damaged"
	DanglingParent    Reason = "dangling-parent"
	Duplicate         Reason = "duplicate"
	DuplicateID       Reason = "duplicate-id"
	Empty             Reason = "empty"
	Encrypted         Reason = "encrypted"
	EvidenceMissing   Reason = "evidence-missing"
	Exists            Reason = "exists"
	ForeignSignature  Reason = "foreign-signature"
	Generated         Reason = "generated"
	HarnessPreamble   Reason = "harness-preamble"
	IDNotLegal        Reason = "id-not-legal"
	IndexOnly         Reason = "index-only"
	InvalidForm       Reason = "invalid-form"
	InvalidText       Reason = "invalid-text"
	LinkCopied        Reason = "link-copied"
	LinkOutside       Reason = "link-outside"
	Managed           Reason = "managed"
	MarkedBlock       Reason = "marked-block"
	Merged            Reason = "merged"
	MissingFile       Reason = "missing-file"
	MissingParent     Reason = "missing-parent"
	MissingResult     Reason = "missing-result"
	NoCounterpart     Reason = "no-counterpart"
	NoEqual           Reason = "no-equal"
	NoPlace           Reason = "no-place"
	NotExpanded       Reason = "not-expanded"
	NotShared         Reason = "not-shared"
	NotSupported      Reason = "not-supported"
	OrphanResult      Reason = "orphan-result"
	OverBound         Reason = "over-bound"
	PrefixChanged     Reason = "prefix-changed"
	ReEncoded         Reason = "re-encoded"
	ReasonNotInSource Reason = "not-in-source"
	Redacted          Reason = "redacted"
	RestrictionLost   Reason = "restriction-lost"
	ScopeChanged      Reason = "scope-changed"
	Secret            Reason = "secret"
	ShownNotSent      Reason = "shown-not-sent"
	SourceGrew        Reason = "source-grew"
	Superseded        Reason = "superseded"
	SwitchedOff       Reason = "switched-off"
	TargetLimit       Reason = "target-limit"
	TimeInferred      Reason = "time-inferred"
	TornTail          Reason = "torn-tail"
	Unparsable        Reason = "unparsable"
	Unreadable        Reason = "unreadable"
	Unsafe            Reason = "unsafe"
	WouldWiden        Reason = "would-widen"
)

type RelationEnum string

const (
	RelationFork     RelationEnum = "fork"
	RelationResume   RelationEnum = "resume"
	RelationSubagent RelationEnum = "subagent"
)

type TitleFrom string

const (
	TitleFromAgent  TitleFrom = "agent"
	TitleFromPrompt TitleFrom = "prompt"
	TitleFromUser   TitleFrom = "user"
)

type DeclaredValue string

const (
	FluffyDropped      DeclaredValue = "dropped"
	FluffyEvidenceOnly DeclaredValue = "evidence-only"
	FluffyNotInSource  DeclaredValue = "not-in-source"
	FluffyPartial      DeclaredValue = "partial"
	Preserved          DeclaredValue = "preserved"
)

type ASPBundleFormat string

const (
	FormatASPBundle ASPBundleFormat = "asp-bundle"
)

type ItemKind string

const (
	FluffyInstructions ItemKind = "instructions"
	FluffyMemory       ItemKind = "memory"
	FluffySettings     ItemKind = "settings"
	FluffySkills       ItemKind = "skills"
	FluffyTools        ItemKind = "tools"
)

type ItemOutcome string

const (
	Changed        ItemOutcome = "changed"
	Left           ItemOutcome = "left"
	OutcomeWritten ItemOutcome = "written"
	Present        ItemOutcome = "present"
)

type How string

const (
	HowWritten How = "written"
	Replayed   How = "replayed"
	Returned   How = "returned"
)

type SessionOutcome string

const (
	Copied    SessionOutcome = "copied"
	Created   SessionOutcome = "created"
	Unchanged SessionOutcome = "unchanged"
)

type BatchLineStatus string

const (
	Done         BatchLineStatus = "done"
	StatusFailed BatchLineStatus = "failed"
)

type ImportStatus string

const (
	Cycle   ImportStatus = "cycle"
	Deep    ImportStatus = "deep"
	Found   ImportStatus = "found"
	Missing ImportStatus = "missing"
	Outside ImportStatus = "outside"
)

type FileScope string

const (
	Local         FileScope = "local"
	PurpleProject FileScope = "project"
	PurpleUser    FileScope = "user"
)

type Of string

const (
	OfAgent     Of = "agent"
	OfCommand   Of = "command"
	OutputStyle Of = "output-style"
)

type DefinitionScope string

const (
	FluffyProject DefinitionScope = "project"
	FluffyUser    DefinitionScope = "user"
)

type Approval string

const (
	ApprovalAuto   Approval = "auto"
	ApprovalPrompt Approval = "prompt"
	Approve        Approval = "approve"
	Writes         Approval = "writes"
)

type ServerType string

const (
	HTTP  ServerType = "http"
	SSE   ServerType = "sse"
	Stdio ServerType = "stdio"
	Ws    ServerType = "ws"
)

type NoteKind string

const (
	Index NoteKind = "index"
	Note  NoteKind = "note"
)

type Category string

const (
	Environment  Category = "environment"
	Mode         Category = "mode"
	Model        Category = "model"
	ThoughtLevel Category = "thought_level"
)

type Effect string

const (
	Allow Effect = "allow"
	Ask   Effect = "ask"
	Deny  Effect = "deny"
)

type Value struct {
	Bool   *bool
	Double *float64
	String *string
}

func (x *Value) UnmarshalJSON(data []byte) error {
	object, err := unmarshalUnion(data, nil, &x.Double, &x.Bool, &x.String, false, nil, false, nil, false, nil, false, nil, false)
	if err != nil {
		return err
	}
	if object {
	}
	return nil
}

func (x *Value) MarshalJSON() ([]byte, error) {
	return marshalUnion(nil, x.Double, x.Bool, x.String, false, nil, false, nil, false, nil, false, nil, false)
}

func unmarshalUnion(data []byte, pi **int64, pf **float64, pb **bool, ps **string, haveArray bool, pa interface{}, haveObject bool, pc interface{}, haveMap bool, pm interface{}, haveEnum bool, pe interface{}, nullable bool) (bool, error) {
	if pi != nil {
			*pi = nil
	}
	if pf != nil {
			*pf = nil
	}
	if pb != nil {
			*pb = nil
	}
	if ps != nil {
			*ps = nil
	}

	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	tok, err := dec.Token()
	if err != nil {
			return false, err
	}

	switch v := tok.(type) {
	case json.Number:
			if pi != nil {
					i, err := v.Int64()
					if err == nil {
							*pi = &i
							return false, nil
					}
			}
			if pf != nil {
					f, err := v.Float64()
					if err == nil {
							*pf = &f
							return false, nil
					}
					return false, errors.New("Unparsable number")
			}
			return false, errors.New("Union does not contain number")
	case float64:
			return false, errors.New("Decoder should not return float64")
	case bool:
			if pb != nil {
					*pb = &v
					return false, nil
			}
			return false, errors.New("Union does not contain bool")
	case string:
			if haveEnum {
					return false, json.Unmarshal(data, pe)
			}
			if ps != nil {
					*ps = &v
					return false, nil
			}
			return false, errors.New("Union does not contain string")
	case nil:
			if nullable {
					return false, nil
			}
			return false, errors.New("Union does not contain null")
	case json.Delim:
			if v == '{' {
					if haveObject {
							return true, json.Unmarshal(data, pc)
					}
					if haveMap {
							return false, json.Unmarshal(data, pm)
					}
					return false, errors.New("Union does not contain object")
			}
			if v == '[' {
					if haveArray {
							return false, json.Unmarshal(data, pa)
					}
					return false, errors.New("Union does not contain array")
			}
			return false, errors.New("Cannot handle delimiter")
	}
	return false, errors.New("Cannot unmarshal union")
}

func marshalUnion(pi *int64, pf *float64, pb *bool, ps *string, haveArray bool, pa interface{}, haveObject bool, pc interface{}, haveMap bool, pm interface{}, haveEnum bool, pe interface{}, nullable bool) ([]byte, error) {
	if pi != nil {
			return json.Marshal(*pi)
	}
	if pf != nil {
			return json.Marshal(*pf)
	}
	if pb != nil {
			return json.Marshal(*pb)
	}
	if ps != nil {
			return json.Marshal(*ps)
	}
	if haveArray {
			return json.Marshal(pa)
	}
	if haveObject {
			return json.Marshal(pc)
	}
	if haveMap {
			return json.Marshal(pm)
	}
	if haveEnum {
			return json.Marshal(pe)
	}
	if nullable {
			return json.Marshal(nil)
	}
	return nil, errors.New("Union must not be null")
}
