# Made from schema/*.json by `npm run sdk`.

from enum import Enum
from dataclasses import dataclass
from typing import Optional, Any, List, Dict, Union, TypeVar, Type, Callable, cast


T = TypeVar("T")
EnumT = TypeVar("EnumT", bound=Enum)


def from_str(x: Any) -> str:
    assert isinstance(x, str)
    return x


def from_none(x: Any) -> Any:
    assert x is None
    return x


def from_union(fs, x):
    for f in fs:
        try:
            return f(x)
        except:
            pass
    assert False


def from_int(x: Any) -> int:
    assert isinstance(x, int) and not isinstance(x, bool)
    return x


def from_bool(x: Any) -> bool:
    assert isinstance(x, bool)
    return x


def to_enum(c: Type[EnumT], x: Any) -> EnumT:
    assert isinstance(x, c)
    return x.value


def from_list(f: Callable[[Any], T], x: Any) -> List[T]:
    assert isinstance(x, list)
    return [f(y) for y in x]


def to_class(c: Type[T], x: Any) -> dict:
    assert isinstance(x, c)
    return cast(Any, x).to_dict()


def from_float(x: Any) -> float:
    assert isinstance(x, (float, int)) and not isinstance(x, bool)
    return float(x)


def to_float(x: Any) -> float:
    assert isinstance(x, (int, float))
    return x


def from_dict(f: Callable[[Any], T], x: Any) -> Dict[str, T]:
    assert isinstance(x, dict)
    return { k: f(v) for (k, v) in x.items() }


class Authority(Enum):
    AUTHORITATIVE = "authoritative"
    INFERRED = "inferred"
    SELF_REPORTED = "self_reported"


@dataclass
class EnvelopeCorrelation:
    agent_session_id: Optional[str] = None
    client_action_id: Optional[str] = None
    message_id: Optional[str] = None
    parent_id: Optional[str] = None
    run_id: Optional[str] = None
    tool_call_id: Optional[str] = None
    tool_result_id: Optional[str] = None
    turn_id: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'EnvelopeCorrelation':
        assert isinstance(obj, dict)
        agent_session_id = from_union([from_str, from_none], obj.get("agentSessionId"))
        client_action_id = from_union([from_str, from_none], obj.get("clientActionId"))
        message_id = from_union([from_str, from_none], obj.get("messageId"))
        parent_id = from_union([from_str, from_none], obj.get("parentId"))
        run_id = from_union([from_str, from_none], obj.get("runId"))
        tool_call_id = from_union([from_str, from_none], obj.get("toolCallId"))
        tool_result_id = from_union([from_str, from_none], obj.get("toolResultId"))
        turn_id = from_union([from_str, from_none], obj.get("turnId"))
        return EnvelopeCorrelation(agent_session_id, client_action_id, message_id, parent_id, run_id, tool_call_id, tool_result_id, turn_id)

    def to_dict(self) -> dict:
        result: dict = {}
        if self.agent_session_id is not None:
            result["agentSessionId"] = from_union([from_str, from_none], self.agent_session_id)
        if self.client_action_id is not None:
            result["clientActionId"] = from_union([from_str, from_none], self.client_action_id)
        if self.message_id is not None:
            result["messageId"] = from_union([from_str, from_none], self.message_id)
        if self.parent_id is not None:
            result["parentId"] = from_union([from_str, from_none], self.parent_id)
        if self.run_id is not None:
            result["runId"] = from_union([from_str, from_none], self.run_id)
        if self.tool_call_id is not None:
            result["toolCallId"] = from_union([from_str, from_none], self.tool_call_id)
        if self.tool_result_id is not None:
            result["toolResultId"] = from_union([from_str, from_none], self.tool_result_id)
        if self.turn_id is not None:
            result["turnId"] = from_union([from_str, from_none], self.turn_id)
        return result


@dataclass
class EvidenceElement:
    blob: str
    length: int
    offset: int
    record: int
    file: Optional[int] = None

    @staticmethod
    def from_dict(obj: Any) -> 'EvidenceElement':
        assert isinstance(obj, dict)
        blob = from_str(obj.get("blob"))
        length = from_int(obj.get("length"))
        offset = from_int(obj.get("offset"))
        record = from_int(obj.get("record"))
        file = from_union([from_int, from_none], obj.get("file"))
        return EvidenceElement(blob, length, offset, record, file)

    def to_dict(self) -> dict:
        result: dict = {}
        result["blob"] = from_str(self.blob)
        result["length"] = from_int(self.length)
        result["offset"] = from_int(self.offset)
        result["record"] = from_int(self.record)
        if self.file is not None:
            result["file"] = from_union([from_int, from_none], self.file)
        return result


class Audience(Enum):
    ASSISTANT = "assistant"
    USER = "user"


class PurpleType(Enum):
    ERROR = "error"
    IMAGE = "image"
    REFERENCE = "reference"
    TEXT = "text"
    THINKING = "thinking"
    TOOL_CALL = "tool-call"
    UNKNOWN = "unknown"


@dataclass
class PurpleContent:
    type: PurpleType
    text: Optional[str] = None
    signature: Optional[str] = None
    arguments: Any = None
    freeform: Optional[bool] = None
    name: Optional[str] = None
    namespace: Optional[str] = None
    tool_call_id: Optional[str] = None
    alt: Optional[str] = None
    data: Optional[str] = None
    mime_type: Optional[str] = None
    uri: Optional[str] = None
    media_type: Optional[str] = None
    title: Optional[str] = None
    code: Optional[str] = None
    detail: Any = None
    message: Optional[str] = None
    native_type: Optional[str] = None
    value: Any = None

    @staticmethod
    def from_dict(obj: Any) -> 'PurpleContent':
        assert isinstance(obj, dict)
        type = PurpleType(obj.get("type"))
        text = from_union([from_str, from_none], obj.get("text"))
        signature = from_union([from_str, from_none], obj.get("signature"))
        arguments = obj.get("arguments")
        freeform = from_union([from_bool, from_none], obj.get("freeform"))
        name = from_union([from_str, from_none], obj.get("name"))
        namespace = from_union([from_str, from_none], obj.get("namespace"))
        tool_call_id = from_union([from_str, from_none], obj.get("toolCallId"))
        alt = from_union([from_str, from_none], obj.get("alt"))
        data = from_union([from_str, from_none], obj.get("data"))
        mime_type = from_union([from_str, from_none], obj.get("mimeType"))
        uri = from_union([from_str, from_none], obj.get("uri"))
        media_type = from_union([from_str, from_none], obj.get("mediaType"))
        title = from_union([from_str, from_none], obj.get("title"))
        code = from_union([from_str, from_none], obj.get("code"))
        detail = obj.get("detail")
        message = from_union([from_str, from_none], obj.get("message"))
        native_type = from_union([from_str, from_none], obj.get("nativeType"))
        value = obj.get("value")
        return PurpleContent(type, text, signature, arguments, freeform, name, namespace, tool_call_id, alt, data, mime_type, uri, media_type, title, code, detail, message, native_type, value)

    def to_dict(self) -> dict:
        result: dict = {}
        result["type"] = to_enum(PurpleType, self.type)
        if self.text is not None:
            result["text"] = from_union([from_str, from_none], self.text)
        if self.signature is not None:
            result["signature"] = from_union([from_str, from_none], self.signature)
        if self.arguments is not None:
            result["arguments"] = self.arguments
        if self.freeform is not None:
            result["freeform"] = from_union([from_bool, from_none], self.freeform)
        if self.name is not None:
            result["name"] = from_union([from_str, from_none], self.name)
        if self.namespace is not None:
            result["namespace"] = from_union([from_str, from_none], self.namespace)
        if self.tool_call_id is not None:
            result["toolCallId"] = from_union([from_str, from_none], self.tool_call_id)
        if self.alt is not None:
            result["alt"] = from_union([from_str, from_none], self.alt)
        if self.data is not None:
            result["data"] = from_union([from_str, from_none], self.data)
        if self.mime_type is not None:
            result["mimeType"] = from_union([from_str, from_none], self.mime_type)
        if self.uri is not None:
            result["uri"] = from_union([from_str, from_none], self.uri)
        if self.media_type is not None:
            result["mediaType"] = from_union([from_str, from_none], self.media_type)
        if self.title is not None:
            result["title"] = from_union([from_str, from_none], self.title)
        if self.code is not None:
            result["code"] = from_union([from_str, from_none], self.code)
        if self.detail is not None:
            result["detail"] = self.detail
        if self.message is not None:
            result["message"] = from_union([from_str, from_none], self.message)
        if self.native_type is not None:
            result["nativeType"] = from_union([from_str, from_none], self.native_type)
        if self.value is not None:
            result["value"] = self.value
        return result


class BlockType(Enum):
    ERROR = "error"
    IMAGE = "image"
    REFERENCE = "reference"
    TEXT = "text"
    THINKING = "thinking"
    TOOL_CALL = "tool-call"
    TOOL_RESULT = "tool-result"
    UNKNOWN = "unknown"


@dataclass
class BlockElement:
    type: BlockType
    text: Optional[str] = None
    signature: Optional[str] = None
    arguments: Any = None
    freeform: Optional[bool] = None
    name: Optional[str] = None
    namespace: Optional[str] = None
    tool_call_id: Optional[str] = None
    alt: Optional[str] = None
    data: Optional[str] = None
    mime_type: Optional[str] = None
    uri: Optional[str] = None
    media_type: Optional[str] = None
    title: Optional[str] = None
    code: Optional[str] = None
    detail: Any = None
    message: Optional[str] = None
    native_type: Optional[str] = None
    value: Any = None
    content: Optional[List[PurpleContent]] = None
    is_error: Optional[bool] = None
    tool_result_id: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'BlockElement':
        assert isinstance(obj, dict)
        type = BlockType(obj.get("type"))
        text = from_union([from_str, from_none], obj.get("text"))
        signature = from_union([from_str, from_none], obj.get("signature"))
        arguments = obj.get("arguments")
        freeform = from_union([from_bool, from_none], obj.get("freeform"))
        name = from_union([from_str, from_none], obj.get("name"))
        namespace = from_union([from_str, from_none], obj.get("namespace"))
        tool_call_id = from_union([from_str, from_none], obj.get("toolCallId"))
        alt = from_union([from_str, from_none], obj.get("alt"))
        data = from_union([from_str, from_none], obj.get("data"))
        mime_type = from_union([from_str, from_none], obj.get("mimeType"))
        uri = from_union([from_str, from_none], obj.get("uri"))
        media_type = from_union([from_str, from_none], obj.get("mediaType"))
        title = from_union([from_str, from_none], obj.get("title"))
        code = from_union([from_str, from_none], obj.get("code"))
        detail = obj.get("detail")
        message = from_union([from_str, from_none], obj.get("message"))
        native_type = from_union([from_str, from_none], obj.get("nativeType"))
        value = obj.get("value")
        content = from_union([lambda x: from_list(PurpleContent.from_dict, x), from_none], obj.get("content"))
        is_error = from_union([from_bool, from_none], obj.get("isError"))
        tool_result_id = from_union([from_str, from_none], obj.get("toolResultId"))
        return BlockElement(type, text, signature, arguments, freeform, name, namespace, tool_call_id, alt, data, mime_type, uri, media_type, title, code, detail, message, native_type, value, content, is_error, tool_result_id)

    def to_dict(self) -> dict:
        result: dict = {}
        result["type"] = to_enum(BlockType, self.type)
        if self.text is not None:
            result["text"] = from_union([from_str, from_none], self.text)
        if self.signature is not None:
            result["signature"] = from_union([from_str, from_none], self.signature)
        if self.arguments is not None:
            result["arguments"] = self.arguments
        if self.freeform is not None:
            result["freeform"] = from_union([from_bool, from_none], self.freeform)
        if self.name is not None:
            result["name"] = from_union([from_str, from_none], self.name)
        if self.namespace is not None:
            result["namespace"] = from_union([from_str, from_none], self.namespace)
        if self.tool_call_id is not None:
            result["toolCallId"] = from_union([from_str, from_none], self.tool_call_id)
        if self.alt is not None:
            result["alt"] = from_union([from_str, from_none], self.alt)
        if self.data is not None:
            result["data"] = from_union([from_str, from_none], self.data)
        if self.mime_type is not None:
            result["mimeType"] = from_union([from_str, from_none], self.mime_type)
        if self.uri is not None:
            result["uri"] = from_union([from_str, from_none], self.uri)
        if self.media_type is not None:
            result["mediaType"] = from_union([from_str, from_none], self.media_type)
        if self.title is not None:
            result["title"] = from_union([from_str, from_none], self.title)
        if self.code is not None:
            result["code"] = from_union([from_str, from_none], self.code)
        if self.detail is not None:
            result["detail"] = self.detail
        if self.message is not None:
            result["message"] = from_union([from_str, from_none], self.message)
        if self.native_type is not None:
            result["nativeType"] = from_union([from_str, from_none], self.native_type)
        if self.value is not None:
            result["value"] = self.value
        if self.content is not None:
            result["content"] = from_union([lambda x: from_list(lambda x: to_class(PurpleContent, x), x), from_none], self.content)
        if self.is_error is not None:
            result["isError"] = from_union([from_bool, from_none], self.is_error)
        if self.tool_result_id is not None:
            result["toolResultId"] = from_union([from_str, from_none], self.tool_result_id)
        return result


@dataclass
class PurpleContext:
    type: str
    payload: Any = None

    @staticmethod
    def from_dict(obj: Any) -> 'PurpleContext':
        assert isinstance(obj, dict)
        type = from_str(obj.get("type"))
        payload = obj.get("payload")
        return PurpleContext(type, payload)

    def to_dict(self) -> dict:
        result: dict = {}
        result["type"] = from_str(self.type)
        result["payload"] = self.payload
        return result


@dataclass
class PurpleGit:
    branch: Optional[str] = None
    commit: Optional[str] = None
    repository: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'PurpleGit':
        assert isinstance(obj, dict)
        branch = from_union([from_str, from_none], obj.get("branch"))
        commit = from_union([from_str, from_none], obj.get("commit"))
        repository = from_union([from_str, from_none], obj.get("repository"))
        return PurpleGit(branch, commit, repository)

    def to_dict(self) -> dict:
        result: dict = {}
        if self.branch is not None:
            result["branch"] = from_union([from_str, from_none], self.branch)
        if self.commit is not None:
            result["commit"] = from_union([from_str, from_none], self.commit)
        if self.repository is not None:
            result["repository"] = from_union([from_str, from_none], self.repository)
        return result


class Injected(Enum):
    COMMAND = "command"
    HARNESS = "harness"
    NOTICE = "notice"
    SKILL = "skill"
    TOOL = "tool"


class PayloadKind(Enum):
    QUEUED = "queued"
    SUMMARY = "summary"


class Priority(Enum):
    HIGH = "high"
    LOW = "low"
    MEDIUM = "medium"


class PlanStatus(Enum):
    COMPLETED = "completed"
    IN_PROGRESS = "in_progress"
    PENDING = "pending"


@dataclass
class PurplePlan:
    content: str
    status: PlanStatus
    priority: Optional[Priority] = None

    @staticmethod
    def from_dict(obj: Any) -> 'PurplePlan':
        assert isinstance(obj, dict)
        content = from_str(obj.get("content"))
        status = PlanStatus(obj.get("status"))
        priority = from_union([Priority, from_none], obj.get("priority"))
        return PurplePlan(content, status, priority)

    def to_dict(self) -> dict:
        result: dict = {}
        result["content"] = from_str(self.content)
        result["status"] = to_enum(PlanStatus, self.status)
        if self.priority is not None:
            result["priority"] = from_union([lambda x: to_enum(Priority, x), from_none], self.priority)
        return result


class PayloadRole(Enum):
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"
    UNKNOWN = "unknown"
    USER = "user"


class TitleBy(Enum):
    AGENT = "agent"
    USER = "user"


class Trigger(Enum):
    AUTO = "auto"
    MANUAL = "manual"


@dataclass
class PurpleUsage:
    cache_read_tokens: Optional[float] = None
    cache_write_tokens: Optional[float] = None
    cost_usd: Optional[float] = None
    input_tokens: Optional[float] = None
    output_tokens: Optional[float] = None
    reasoning_tokens: Optional[float] = None
    total_tokens: Optional[float] = None

    @staticmethod
    def from_dict(obj: Any) -> 'PurpleUsage':
        assert isinstance(obj, dict)
        cache_read_tokens = from_union([from_float, from_none], obj.get("cacheReadTokens"))
        cache_write_tokens = from_union([from_float, from_none], obj.get("cacheWriteTokens"))
        cost_usd = from_union([from_float, from_none], obj.get("costUsd"))
        input_tokens = from_union([from_float, from_none], obj.get("inputTokens"))
        output_tokens = from_union([from_float, from_none], obj.get("outputTokens"))
        reasoning_tokens = from_union([from_float, from_none], obj.get("reasoningTokens"))
        total_tokens = from_union([from_float, from_none], obj.get("totalTokens"))
        return PurpleUsage(cache_read_tokens, cache_write_tokens, cost_usd, input_tokens, output_tokens, reasoning_tokens, total_tokens)

    def to_dict(self) -> dict:
        result: dict = {}
        if self.cache_read_tokens is not None:
            result["cacheReadTokens"] = from_union([to_float, from_none], self.cache_read_tokens)
        if self.cache_write_tokens is not None:
            result["cacheWriteTokens"] = from_union([to_float, from_none], self.cache_write_tokens)
        if self.cost_usd is not None:
            result["costUsd"] = from_union([to_float, from_none], self.cost_usd)
        if self.input_tokens is not None:
            result["inputTokens"] = from_union([to_float, from_none], self.input_tokens)
        if self.output_tokens is not None:
            result["outputTokens"] = from_union([to_float, from_none], self.output_tokens)
        if self.reasoning_tokens is not None:
            result["reasoningTokens"] = from_union([to_float, from_none], self.reasoning_tokens)
        if self.total_tokens is not None:
            result["totalTokens"] = from_union([to_float, from_none], self.total_tokens)
        return result


@dataclass
class EnvelopePayload:
    cwd: Optional[str] = None
    git: Optional[PurpleGit] = None
    harness_version: Optional[str] = None
    model: Optional[str] = None
    native_session_id: Optional[str] = None
    title: Optional[str] = None
    reason: Optional[str] = None
    title_by: Optional[TitleBy] = None
    settings: Optional[Dict[str, Union[float, bool, str]]] = None
    text: Optional[str] = None
    run_id: Optional[str] = None
    status: Optional[str] = None
    turn_id: Optional[str] = None
    error: Optional[str] = None
    usage: Optional[PurpleUsage] = None
    message_id: Optional[str] = None
    role: Optional[PayloadRole] = None
    audience: Optional[List[Audience]] = None
    blocks: Optional[List[BlockElement]] = None
    display: Optional[str] = None
    injected: Optional[Injected] = None
    kind: Optional[PayloadKind] = None
    revision: Optional[float] = None
    stop_reason: Optional[str] = None
    arguments: Any = None
    name: Optional[str] = None
    tool_call_id: Optional[str] = None
    content: Optional[List[BlockElement]] = None
    detail: Any = None
    is_error: Optional[bool] = None
    result: Optional[List[BlockElement]] = None
    synthetic: Optional[bool] = None
    tool_result_id: Optional[str] = None
    approval_id: Optional[str] = None
    outcome: Optional[str] = None
    media_type: Optional[str] = None
    uri: Optional[str] = None
    plan: Optional[List[PurplePlan]] = None
    client_action_id: Optional[str] = None
    context: Optional[List[PurpleContext]] = None
    trigger: Optional[Trigger] = None
    turns: Optional[float] = None
    axis: Optional[str] = None
    native_type: Optional[str] = None
    value: Any = None

    @staticmethod
    def from_dict(obj: Any) -> 'EnvelopePayload':
        assert isinstance(obj, dict)
        cwd = from_union([from_str, from_none], obj.get("cwd"))
        git = from_union([PurpleGit.from_dict, from_none], obj.get("git"))
        harness_version = from_union([from_str, from_none], obj.get("harnessVersion"))
        model = from_union([from_str, from_none], obj.get("model"))
        native_session_id = from_union([from_str, from_none], obj.get("nativeSessionId"))
        title = from_union([from_str, from_none], obj.get("title"))
        reason = from_union([from_str, from_none], obj.get("reason"))
        title_by = from_union([TitleBy, from_none], obj.get("titleBy"))
        settings = from_union([lambda x: from_dict(lambda x: from_union([from_float, from_bool, from_str], x), x), from_none], obj.get("settings"))
        text = from_union([from_str, from_none], obj.get("text"))
        run_id = from_union([from_str, from_none], obj.get("runId"))
        status = from_union([from_str, from_none], obj.get("status"))
        turn_id = from_union([from_str, from_none], obj.get("turnId"))
        error = from_union([from_str, from_none], obj.get("error"))
        usage = from_union([PurpleUsage.from_dict, from_none], obj.get("usage"))
        message_id = from_union([from_str, from_none], obj.get("messageId"))
        role = from_union([PayloadRole, from_none], obj.get("role"))
        audience = from_union([lambda x: from_list(Audience, x), from_none], obj.get("audience"))
        blocks = from_union([lambda x: from_list(BlockElement.from_dict, x), from_none], obj.get("blocks"))
        display = from_union([from_str, from_none], obj.get("display"))
        injected = from_union([Injected, from_none], obj.get("injected"))
        kind = from_union([PayloadKind, from_none], obj.get("kind"))
        revision = from_union([from_float, from_none], obj.get("revision"))
        stop_reason = from_union([from_str, from_none], obj.get("stopReason"))
        arguments = obj.get("arguments")
        name = from_union([from_str, from_none], obj.get("name"))
        tool_call_id = from_union([from_str, from_none], obj.get("toolCallId"))
        content = from_union([lambda x: from_list(BlockElement.from_dict, x), from_none], obj.get("content"))
        detail = obj.get("detail")
        is_error = from_union([from_bool, from_none], obj.get("isError"))
        result = from_union([lambda x: from_list(BlockElement.from_dict, x), from_none], obj.get("result"))
        synthetic = from_union([from_bool, from_none], obj.get("synthetic"))
        tool_result_id = from_union([from_str, from_none], obj.get("toolResultId"))
        approval_id = from_union([from_str, from_none], obj.get("approvalId"))
        outcome = from_union([from_str, from_none], obj.get("outcome"))
        media_type = from_union([from_str, from_none], obj.get("mediaType"))
        uri = from_union([from_str, from_none], obj.get("uri"))
        plan = from_union([lambda x: from_list(PurplePlan.from_dict, x), from_none], obj.get("plan"))
        client_action_id = from_union([from_str, from_none], obj.get("clientActionId"))
        context = from_union([lambda x: from_list(PurpleContext.from_dict, x), from_none], obj.get("context"))
        trigger = from_union([Trigger, from_none], obj.get("trigger"))
        turns = from_union([from_float, from_none], obj.get("turns"))
        axis = from_union([from_str, from_none], obj.get("axis"))
        native_type = from_union([from_str, from_none], obj.get("nativeType"))
        value = obj.get("value")
        return EnvelopePayload(cwd, git, harness_version, model, native_session_id, title, reason, title_by, settings, text, run_id, status, turn_id, error, usage, message_id, role, audience, blocks, display, injected, kind, revision, stop_reason, arguments, name, tool_call_id, content, detail, is_error, result, synthetic, tool_result_id, approval_id, outcome, media_type, uri, plan, client_action_id, context, trigger, turns, axis, native_type, value)

    def to_dict(self) -> dict:
        result: dict = {}
        if self.cwd is not None:
            result["cwd"] = from_union([from_str, from_none], self.cwd)
        if self.git is not None:
            result["git"] = from_union([lambda x: to_class(PurpleGit, x), from_none], self.git)
        if self.harness_version is not None:
            result["harnessVersion"] = from_union([from_str, from_none], self.harness_version)
        if self.model is not None:
            result["model"] = from_union([from_str, from_none], self.model)
        if self.native_session_id is not None:
            result["nativeSessionId"] = from_union([from_str, from_none], self.native_session_id)
        if self.title is not None:
            result["title"] = from_union([from_str, from_none], self.title)
        if self.reason is not None:
            result["reason"] = from_union([from_str, from_none], self.reason)
        if self.title_by is not None:
            result["titleBy"] = from_union([lambda x: to_enum(TitleBy, x), from_none], self.title_by)
        if self.settings is not None:
            result["settings"] = from_union([lambda x: from_dict(lambda x: from_union([to_float, from_bool, from_str], x), x), from_none], self.settings)
        if self.text is not None:
            result["text"] = from_union([from_str, from_none], self.text)
        if self.run_id is not None:
            result["runId"] = from_union([from_str, from_none], self.run_id)
        if self.status is not None:
            result["status"] = from_union([from_str, from_none], self.status)
        if self.turn_id is not None:
            result["turnId"] = from_union([from_str, from_none], self.turn_id)
        if self.error is not None:
            result["error"] = from_union([from_str, from_none], self.error)
        if self.usage is not None:
            result["usage"] = from_union([lambda x: to_class(PurpleUsage, x), from_none], self.usage)
        if self.message_id is not None:
            result["messageId"] = from_union([from_str, from_none], self.message_id)
        if self.role is not None:
            result["role"] = from_union([lambda x: to_enum(PayloadRole, x), from_none], self.role)
        if self.audience is not None:
            result["audience"] = from_union([lambda x: from_list(lambda x: to_enum(Audience, x), x), from_none], self.audience)
        if self.blocks is not None:
            result["blocks"] = from_union([lambda x: from_list(lambda x: to_class(BlockElement, x), x), from_none], self.blocks)
        if self.display is not None:
            result["display"] = from_union([from_str, from_none], self.display)
        if self.injected is not None:
            result["injected"] = from_union([lambda x: to_enum(Injected, x), from_none], self.injected)
        if self.kind is not None:
            result["kind"] = from_union([lambda x: to_enum(PayloadKind, x), from_none], self.kind)
        if self.revision is not None:
            result["revision"] = from_union([to_float, from_none], self.revision)
        if self.stop_reason is not None:
            result["stopReason"] = from_union([from_str, from_none], self.stop_reason)
        if self.arguments is not None:
            result["arguments"] = self.arguments
        if self.name is not None:
            result["name"] = from_union([from_str, from_none], self.name)
        if self.tool_call_id is not None:
            result["toolCallId"] = from_union([from_str, from_none], self.tool_call_id)
        if self.content is not None:
            result["content"] = from_union([lambda x: from_list(lambda x: to_class(BlockElement, x), x), from_none], self.content)
        if self.detail is not None:
            result["detail"] = self.detail
        if self.is_error is not None:
            result["isError"] = from_union([from_bool, from_none], self.is_error)
        if self.result is not None:
            result["result"] = from_union([lambda x: from_list(lambda x: to_class(BlockElement, x), x), from_none], self.result)
        if self.synthetic is not None:
            result["synthetic"] = from_union([from_bool, from_none], self.synthetic)
        if self.tool_result_id is not None:
            result["toolResultId"] = from_union([from_str, from_none], self.tool_result_id)
        if self.approval_id is not None:
            result["approvalId"] = from_union([from_str, from_none], self.approval_id)
        if self.outcome is not None:
            result["outcome"] = from_union([from_str, from_none], self.outcome)
        if self.media_type is not None:
            result["mediaType"] = from_union([from_str, from_none], self.media_type)
        if self.uri is not None:
            result["uri"] = from_union([from_str, from_none], self.uri)
        if self.plan is not None:
            result["plan"] = from_union([lambda x: from_list(lambda x: to_class(PurplePlan, x), x), from_none], self.plan)
        if self.client_action_id is not None:
            result["clientActionId"] = from_union([from_str, from_none], self.client_action_id)
        if self.context is not None:
            result["context"] = from_union([lambda x: from_list(lambda x: to_class(PurpleContext, x), x), from_none], self.context)
        if self.trigger is not None:
            result["trigger"] = from_union([lambda x: to_enum(Trigger, x), from_none], self.trigger)
        if self.turns is not None:
            result["turns"] = from_union([to_float, from_none], self.turns)
        if self.axis is not None:
            result["axis"] = from_union([from_str, from_none], self.axis)
        if self.native_type is not None:
            result["nativeType"] = from_union([from_str, from_none], self.native_type)
        if self.value is not None:
            result["value"] = self.value
        return result


class SchemaVersion(Enum):
    THE_10 = "1.0"


class Layer(Enum):
    L1 = "L1"
    L2 = "L2"
    L3 = "L3"


@dataclass
class EnvelopeSource:
    adapter: str
    authenticated: bool
    layer: Layer
    generation: Optional[int] = None
    native_event_id: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'EnvelopeSource':
        assert isinstance(obj, dict)
        adapter = from_str(obj.get("adapter"))
        authenticated = from_bool(obj.get("authenticated"))
        layer = Layer(obj.get("layer"))
        generation = from_union([from_int, from_none], obj.get("generation"))
        native_event_id = from_union([from_str, from_none], obj.get("nativeEventId"))
        return EnvelopeSource(adapter, authenticated, layer, generation, native_event_id)

    def to_dict(self) -> dict:
        result: dict = {}
        result["adapter"] = from_str(self.adapter)
        result["authenticated"] = from_bool(self.authenticated)
        result["layer"] = to_enum(Layer, self.layer)
        if self.generation is not None:
            result["generation"] = from_union([from_int, from_none], self.generation)
        if self.native_event_id is not None:
            result["nativeEventId"] = from_union([from_str, from_none], self.native_event_id)
        return result


class TimestampFrom(Enum):
    INFERRED = "inferred"
    NONE = "none"


class EnvelopeType(Enum):
    ACTION_ACCEPTED = "action.accepted"
    ACTION_APPLIED = "action.applied"
    ACTION_DISPATCHED = "action.dispatched"
    ACTION_INTENT = "action.intent"
    ACTION_REJECTED = "action.rejected"
    ACTION_UNKNOWN = "action.unknown"
    APPROVAL_REQUESTED = "approval.requested"
    APPROVAL_RESOLVED = "approval.resolved"
    ARTIFACT_OBSERVED = "artifact.observed"
    CAPABILITIES_CHANGED = "capabilities.changed"
    INPUT_OBSERVED = "input.observed"
    MESSAGE_COMPLETED = "message.completed"
    MESSAGE_STARTED = "message.started"
    MESSAGE_UPDATED = "message.updated"
    RUN_SETTLED = "run.settled"
    RUN_STARTED = "run.started"
    SESSION_BOUND = "session.bound"
    SESSION_ENDED = "session.ended"
    SESSION_STARTED = "session.started"
    STATUS_CHANGED = "status.changed"
    TASK_UPDATED = "task.updated"
    TOOL_COMPLETED = "tool.completed"
    TOOL_STARTED = "tool.started"
    TOOL_UPDATED = "tool.updated"
    TURN_COMPLETED = "turn.completed"
    TURN_STARTED = "turn.started"
    UNKNOWN_OBSERVED = "unknown.observed"


@dataclass
class Envelope:
    """An event of a session's log (L1), one a line of events.ndjson"""

    authority: Authority
    confidence: float
    event_id: str
    payload: EnvelopePayload
    schema_version: SchemaVersion
    session_id: str
    source: EnvelopeSource
    timestamp: str
    type: EnvelopeType
    branch: Optional[str] = None
    branch_from: Optional[str] = None
    correlation: Optional[EnvelopeCorrelation] = None
    entity_revision: Optional[int] = None
    evidence: Optional[List[EvidenceElement]] = None
    timestamp_from: Optional[TimestampFrom] = None

    @staticmethod
    def from_dict(obj: Any) -> 'Envelope':
        assert isinstance(obj, dict)
        authority = Authority(obj.get("authority"))
        confidence = from_float(obj.get("confidence"))
        event_id = from_str(obj.get("eventId"))
        payload = EnvelopePayload.from_dict(obj.get("payload"))
        schema_version = SchemaVersion(obj.get("schemaVersion"))
        session_id = from_str(obj.get("sessionId"))
        source = EnvelopeSource.from_dict(obj.get("source"))
        timestamp = from_str(obj.get("timestamp"))
        type = EnvelopeType(obj.get("type"))
        branch = from_union([from_str, from_none], obj.get("branch"))
        branch_from = from_union([from_str, from_none], obj.get("branchFrom"))
        correlation = from_union([EnvelopeCorrelation.from_dict, from_none], obj.get("correlation"))
        entity_revision = from_union([from_int, from_none], obj.get("entityRevision"))
        evidence = from_union([lambda x: from_list(EvidenceElement.from_dict, x), from_none], obj.get("evidence"))
        timestamp_from = from_union([TimestampFrom, from_none], obj.get("timestampFrom"))
        return Envelope(authority, confidence, event_id, payload, schema_version, session_id, source, timestamp, type, branch, branch_from, correlation, entity_revision, evidence, timestamp_from)

    def to_dict(self) -> dict:
        result: dict = {}
        result["authority"] = to_enum(Authority, self.authority)
        result["confidence"] = to_float(self.confidence)
        result["eventId"] = from_str(self.event_id)
        result["payload"] = to_class(EnvelopePayload, self.payload)
        result["schemaVersion"] = to_enum(SchemaVersion, self.schema_version)
        result["sessionId"] = from_str(self.session_id)
        result["source"] = to_class(EnvelopeSource, self.source)
        result["timestamp"] = from_str(self.timestamp)
        result["type"] = to_enum(EnvelopeType, self.type)
        if self.branch is not None:
            result["branch"] = from_union([from_str, from_none], self.branch)
        if self.branch_from is not None:
            result["branchFrom"] = from_union([from_str, from_none], self.branch_from)
        if self.correlation is not None:
            result["correlation"] = from_union([lambda x: to_class(EnvelopeCorrelation, x), from_none], self.correlation)
        if self.entity_revision is not None:
            result["entityRevision"] = from_union([from_int, from_none], self.entity_revision)
        if self.evidence is not None:
            result["evidence"] = from_union([lambda x: from_list(lambda x: to_class(EvidenceElement, x), x), from_none], self.evidence)
        if self.timestamp_from is not None:
            result["timestampFrom"] = from_union([lambda x: to_enum(TimestampFrom, x), from_none], self.timestamp_from)
        return result


@dataclass
class PurpleProvenance:
    adapter: str
    authenticated: bool
    layer: Layer
    observation_count: int
    source_event_ids: List[str]

    @staticmethod
    def from_dict(obj: Any) -> 'PurpleProvenance':
        assert isinstance(obj, dict)
        adapter = from_str(obj.get("adapter"))
        authenticated = from_bool(obj.get("authenticated"))
        layer = Layer(obj.get("layer"))
        observation_count = from_int(obj.get("observationCount"))
        source_event_ids = from_list(from_str, obj.get("sourceEventIds"))
        return PurpleProvenance(adapter, authenticated, layer, observation_count, source_event_ids)

    def to_dict(self) -> dict:
        result: dict = {}
        result["adapter"] = from_str(self.adapter)
        result["authenticated"] = from_bool(self.authenticated)
        result["layer"] = to_enum(Layer, self.layer)
        result["observationCount"] = from_int(self.observation_count)
        result["sourceEventIds"] = from_list(from_str, self.source_event_ids)
        return result


class State(Enum):
    CANCELLED = "cancelled"
    COMPLETED = "completed"
    FAILED = "failed"
    PENDING = "pending"
    RUNNING = "running"


@dataclass
class ApprovalElement:
    created_at: str
    id: str
    provenance: PurpleProvenance
    revision: int
    state: State
    updated_at: str
    detail: Any = None
    outcome: Optional[str] = None
    tool_call_id: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'ApprovalElement':
        assert isinstance(obj, dict)
        created_at = from_str(obj.get("createdAt"))
        id = from_str(obj.get("id"))
        provenance = PurpleProvenance.from_dict(obj.get("provenance"))
        revision = from_int(obj.get("revision"))
        state = State(obj.get("state"))
        updated_at = from_str(obj.get("updatedAt"))
        detail = obj.get("detail")
        outcome = from_union([from_str, from_none], obj.get("outcome"))
        tool_call_id = from_union([from_str, from_none], obj.get("toolCallId"))
        return ApprovalElement(created_at, id, provenance, revision, state, updated_at, detail, outcome, tool_call_id)

    def to_dict(self) -> dict:
        result: dict = {}
        result["createdAt"] = from_str(self.created_at)
        result["id"] = from_str(self.id)
        result["provenance"] = to_class(PurpleProvenance, self.provenance)
        result["revision"] = from_int(self.revision)
        result["state"] = to_enum(State, self.state)
        result["updatedAt"] = from_str(self.updated_at)
        if self.detail is not None:
            result["detail"] = self.detail
        if self.outcome is not None:
            result["outcome"] = from_union([from_str, from_none], self.outcome)
        if self.tool_call_id is not None:
            result["toolCallId"] = from_union([from_str, from_none], self.tool_call_id)
        return result


@dataclass
class SnapshotCapabilities:
    read_only: bool
    settings: Dict[str, Union[float, bool, str]]

    @staticmethod
    def from_dict(obj: Any) -> 'SnapshotCapabilities':
        assert isinstance(obj, dict)
        read_only = from_bool(obj.get("readOnly"))
        settings = from_dict(lambda x: from_union([from_float, from_bool, from_str], x), obj.get("settings"))
        return SnapshotCapabilities(read_only, settings)

    def to_dict(self) -> dict:
        result: dict = {}
        result["readOnly"] = from_bool(self.read_only)
        result["settings"] = from_dict(lambda x: from_union([to_float, from_bool, from_str], x), self.settings)
        return result


@dataclass
class SnapshotGit:
    branch: Optional[str] = None
    commit: Optional[str] = None
    repository: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'SnapshotGit':
        assert isinstance(obj, dict)
        branch = from_union([from_str, from_none], obj.get("branch"))
        commit = from_union([from_str, from_none], obj.get("commit"))
        repository = from_union([from_str, from_none], obj.get("repository"))
        return SnapshotGit(branch, commit, repository)

    def to_dict(self) -> dict:
        result: dict = {}
        if self.branch is not None:
            result["branch"] = from_union([from_str, from_none], self.branch)
        if self.commit is not None:
            result["commit"] = from_union([from_str, from_none], self.commit)
        if self.repository is not None:
            result["repository"] = from_union([from_str, from_none], self.repository)
        return result


@dataclass
class FluffyContent:
    type: PurpleType
    text: Optional[str] = None
    signature: Optional[str] = None
    arguments: Any = None
    freeform: Optional[bool] = None
    name: Optional[str] = None
    namespace: Optional[str] = None
    tool_call_id: Optional[str] = None
    alt: Optional[str] = None
    data: Optional[str] = None
    mime_type: Optional[str] = None
    uri: Optional[str] = None
    media_type: Optional[str] = None
    title: Optional[str] = None
    code: Optional[str] = None
    detail: Any = None
    message: Optional[str] = None
    native_type: Optional[str] = None
    value: Any = None

    @staticmethod
    def from_dict(obj: Any) -> 'FluffyContent':
        assert isinstance(obj, dict)
        type = PurpleType(obj.get("type"))
        text = from_union([from_str, from_none], obj.get("text"))
        signature = from_union([from_str, from_none], obj.get("signature"))
        arguments = obj.get("arguments")
        freeform = from_union([from_bool, from_none], obj.get("freeform"))
        name = from_union([from_str, from_none], obj.get("name"))
        namespace = from_union([from_str, from_none], obj.get("namespace"))
        tool_call_id = from_union([from_str, from_none], obj.get("toolCallId"))
        alt = from_union([from_str, from_none], obj.get("alt"))
        data = from_union([from_str, from_none], obj.get("data"))
        mime_type = from_union([from_str, from_none], obj.get("mimeType"))
        uri = from_union([from_str, from_none], obj.get("uri"))
        media_type = from_union([from_str, from_none], obj.get("mediaType"))
        title = from_union([from_str, from_none], obj.get("title"))
        code = from_union([from_str, from_none], obj.get("code"))
        detail = obj.get("detail")
        message = from_union([from_str, from_none], obj.get("message"))
        native_type = from_union([from_str, from_none], obj.get("nativeType"))
        value = obj.get("value")
        return FluffyContent(type, text, signature, arguments, freeform, name, namespace, tool_call_id, alt, data, mime_type, uri, media_type, title, code, detail, message, native_type, value)

    def to_dict(self) -> dict:
        result: dict = {}
        result["type"] = to_enum(PurpleType, self.type)
        if self.text is not None:
            result["text"] = from_union([from_str, from_none], self.text)
        if self.signature is not None:
            result["signature"] = from_union([from_str, from_none], self.signature)
        if self.arguments is not None:
            result["arguments"] = self.arguments
        if self.freeform is not None:
            result["freeform"] = from_union([from_bool, from_none], self.freeform)
        if self.name is not None:
            result["name"] = from_union([from_str, from_none], self.name)
        if self.namespace is not None:
            result["namespace"] = from_union([from_str, from_none], self.namespace)
        if self.tool_call_id is not None:
            result["toolCallId"] = from_union([from_str, from_none], self.tool_call_id)
        if self.alt is not None:
            result["alt"] = from_union([from_str, from_none], self.alt)
        if self.data is not None:
            result["data"] = from_union([from_str, from_none], self.data)
        if self.mime_type is not None:
            result["mimeType"] = from_union([from_str, from_none], self.mime_type)
        if self.uri is not None:
            result["uri"] = from_union([from_str, from_none], self.uri)
        if self.media_type is not None:
            result["mediaType"] = from_union([from_str, from_none], self.media_type)
        if self.title is not None:
            result["title"] = from_union([from_str, from_none], self.title)
        if self.code is not None:
            result["code"] = from_union([from_str, from_none], self.code)
        if self.detail is not None:
            result["detail"] = self.detail
        if self.message is not None:
            result["message"] = from_union([from_str, from_none], self.message)
        if self.native_type is not None:
            result["nativeType"] = from_union([from_str, from_none], self.native_type)
        if self.value is not None:
            result["value"] = self.value
        return result


@dataclass
class ContentElement:
    type: BlockType
    text: Optional[str] = None
    signature: Optional[str] = None
    arguments: Any = None
    freeform: Optional[bool] = None
    name: Optional[str] = None
    namespace: Optional[str] = None
    tool_call_id: Optional[str] = None
    alt: Optional[str] = None
    data: Optional[str] = None
    mime_type: Optional[str] = None
    uri: Optional[str] = None
    media_type: Optional[str] = None
    title: Optional[str] = None
    code: Optional[str] = None
    detail: Any = None
    message: Optional[str] = None
    native_type: Optional[str] = None
    value: Any = None
    content: Optional[List[FluffyContent]] = None
    is_error: Optional[bool] = None
    tool_result_id: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'ContentElement':
        assert isinstance(obj, dict)
        type = BlockType(obj.get("type"))
        text = from_union([from_str, from_none], obj.get("text"))
        signature = from_union([from_str, from_none], obj.get("signature"))
        arguments = obj.get("arguments")
        freeform = from_union([from_bool, from_none], obj.get("freeform"))
        name = from_union([from_str, from_none], obj.get("name"))
        namespace = from_union([from_str, from_none], obj.get("namespace"))
        tool_call_id = from_union([from_str, from_none], obj.get("toolCallId"))
        alt = from_union([from_str, from_none], obj.get("alt"))
        data = from_union([from_str, from_none], obj.get("data"))
        mime_type = from_union([from_str, from_none], obj.get("mimeType"))
        uri = from_union([from_str, from_none], obj.get("uri"))
        media_type = from_union([from_str, from_none], obj.get("mediaType"))
        title = from_union([from_str, from_none], obj.get("title"))
        code = from_union([from_str, from_none], obj.get("code"))
        detail = obj.get("detail")
        message = from_union([from_str, from_none], obj.get("message"))
        native_type = from_union([from_str, from_none], obj.get("nativeType"))
        value = obj.get("value")
        content = from_union([lambda x: from_list(FluffyContent.from_dict, x), from_none], obj.get("content"))
        is_error = from_union([from_bool, from_none], obj.get("isError"))
        tool_result_id = from_union([from_str, from_none], obj.get("toolResultId"))
        return ContentElement(type, text, signature, arguments, freeform, name, namespace, tool_call_id, alt, data, mime_type, uri, media_type, title, code, detail, message, native_type, value, content, is_error, tool_result_id)

    def to_dict(self) -> dict:
        result: dict = {}
        result["type"] = to_enum(BlockType, self.type)
        if self.text is not None:
            result["text"] = from_union([from_str, from_none], self.text)
        if self.signature is not None:
            result["signature"] = from_union([from_str, from_none], self.signature)
        if self.arguments is not None:
            result["arguments"] = self.arguments
        if self.freeform is not None:
            result["freeform"] = from_union([from_bool, from_none], self.freeform)
        if self.name is not None:
            result["name"] = from_union([from_str, from_none], self.name)
        if self.namespace is not None:
            result["namespace"] = from_union([from_str, from_none], self.namespace)
        if self.tool_call_id is not None:
            result["toolCallId"] = from_union([from_str, from_none], self.tool_call_id)
        if self.alt is not None:
            result["alt"] = from_union([from_str, from_none], self.alt)
        if self.data is not None:
            result["data"] = from_union([from_str, from_none], self.data)
        if self.mime_type is not None:
            result["mimeType"] = from_union([from_str, from_none], self.mime_type)
        if self.uri is not None:
            result["uri"] = from_union([from_str, from_none], self.uri)
        if self.media_type is not None:
            result["mediaType"] = from_union([from_str, from_none], self.media_type)
        if self.title is not None:
            result["title"] = from_union([from_str, from_none], self.title)
        if self.code is not None:
            result["code"] = from_union([from_str, from_none], self.code)
        if self.detail is not None:
            result["detail"] = self.detail
        if self.message is not None:
            result["message"] = from_union([from_str, from_none], self.message)
        if self.native_type is not None:
            result["nativeType"] = from_union([from_str, from_none], self.native_type)
        if self.value is not None:
            result["value"] = self.value
        if self.content is not None:
            result["content"] = from_union([lambda x: from_list(lambda x: to_class(FluffyContent, x), x), from_none], self.content)
        if self.is_error is not None:
            result["isError"] = from_union([from_bool, from_none], self.is_error)
        if self.tool_result_id is not None:
            result["toolResultId"] = from_union([from_str, from_none], self.tool_result_id)
        return result


@dataclass
class FluffyUsage:
    cache_read_tokens: Optional[float] = None
    cache_write_tokens: Optional[float] = None
    cost_usd: Optional[float] = None
    input_tokens: Optional[float] = None
    output_tokens: Optional[float] = None
    reasoning_tokens: Optional[float] = None
    total_tokens: Optional[float] = None

    @staticmethod
    def from_dict(obj: Any) -> 'FluffyUsage':
        assert isinstance(obj, dict)
        cache_read_tokens = from_union([from_float, from_none], obj.get("cacheReadTokens"))
        cache_write_tokens = from_union([from_float, from_none], obj.get("cacheWriteTokens"))
        cost_usd = from_union([from_float, from_none], obj.get("costUsd"))
        input_tokens = from_union([from_float, from_none], obj.get("inputTokens"))
        output_tokens = from_union([from_float, from_none], obj.get("outputTokens"))
        reasoning_tokens = from_union([from_float, from_none], obj.get("reasoningTokens"))
        total_tokens = from_union([from_float, from_none], obj.get("totalTokens"))
        return FluffyUsage(cache_read_tokens, cache_write_tokens, cost_usd, input_tokens, output_tokens, reasoning_tokens, total_tokens)

    def to_dict(self) -> dict:
        result: dict = {}
        if self.cache_read_tokens is not None:
            result["cacheReadTokens"] = from_union([to_float, from_none], self.cache_read_tokens)
        if self.cache_write_tokens is not None:
            result["cacheWriteTokens"] = from_union([to_float, from_none], self.cache_write_tokens)
        if self.cost_usd is not None:
            result["costUsd"] = from_union([to_float, from_none], self.cost_usd)
        if self.input_tokens is not None:
            result["inputTokens"] = from_union([to_float, from_none], self.input_tokens)
        if self.output_tokens is not None:
            result["outputTokens"] = from_union([to_float, from_none], self.output_tokens)
        if self.reasoning_tokens is not None:
            result["reasoningTokens"] = from_union([to_float, from_none], self.reasoning_tokens)
        if self.total_tokens is not None:
            result["totalTokens"] = from_union([to_float, from_none], self.total_tokens)
        return result


@dataclass
class MessageElement:
    blocks: List[ContentElement]
    created_at: str
    id: str
    provenance: PurpleProvenance
    revision: int
    role: PayloadRole
    state: State
    updated_at: str
    audience: Optional[List[Audience]] = None
    branch: Optional[str] = None
    display: Optional[str] = None
    injected: Optional[Injected] = None
    kind: Optional[PayloadKind] = None
    model: Optional[str] = None
    run_id: Optional[str] = None
    stop_reason: Optional[str] = None
    turn_id: Optional[str] = None
    usage: Optional[FluffyUsage] = None

    @staticmethod
    def from_dict(obj: Any) -> 'MessageElement':
        assert isinstance(obj, dict)
        blocks = from_list(ContentElement.from_dict, obj.get("blocks"))
        created_at = from_str(obj.get("createdAt"))
        id = from_str(obj.get("id"))
        provenance = PurpleProvenance.from_dict(obj.get("provenance"))
        revision = from_int(obj.get("revision"))
        role = PayloadRole(obj.get("role"))
        state = State(obj.get("state"))
        updated_at = from_str(obj.get("updatedAt"))
        audience = from_union([lambda x: from_list(Audience, x), from_none], obj.get("audience"))
        branch = from_union([from_str, from_none], obj.get("branch"))
        display = from_union([from_str, from_none], obj.get("display"))
        injected = from_union([Injected, from_none], obj.get("injected"))
        kind = from_union([PayloadKind, from_none], obj.get("kind"))
        model = from_union([from_str, from_none], obj.get("model"))
        run_id = from_union([from_str, from_none], obj.get("runId"))
        stop_reason = from_union([from_str, from_none], obj.get("stopReason"))
        turn_id = from_union([from_str, from_none], obj.get("turnId"))
        usage = from_union([FluffyUsage.from_dict, from_none], obj.get("usage"))
        return MessageElement(blocks, created_at, id, provenance, revision, role, state, updated_at, audience, branch, display, injected, kind, model, run_id, stop_reason, turn_id, usage)

    def to_dict(self) -> dict:
        result: dict = {}
        result["blocks"] = from_list(lambda x: to_class(ContentElement, x), self.blocks)
        result["createdAt"] = from_str(self.created_at)
        result["id"] = from_str(self.id)
        result["provenance"] = to_class(PurpleProvenance, self.provenance)
        result["revision"] = from_int(self.revision)
        result["role"] = to_enum(PayloadRole, self.role)
        result["state"] = to_enum(State, self.state)
        result["updatedAt"] = from_str(self.updated_at)
        if self.audience is not None:
            result["audience"] = from_union([lambda x: from_list(lambda x: to_enum(Audience, x), x), from_none], self.audience)
        if self.branch is not None:
            result["branch"] = from_union([from_str, from_none], self.branch)
        if self.display is not None:
            result["display"] = from_union([from_str, from_none], self.display)
        if self.injected is not None:
            result["injected"] = from_union([lambda x: to_enum(Injected, x), from_none], self.injected)
        if self.kind is not None:
            result["kind"] = from_union([lambda x: to_enum(PayloadKind, x), from_none], self.kind)
        if self.model is not None:
            result["model"] = from_union([from_str, from_none], self.model)
        if self.run_id is not None:
            result["runId"] = from_union([from_str, from_none], self.run_id)
        if self.stop_reason is not None:
            result["stopReason"] = from_union([from_str, from_none], self.stop_reason)
        if self.turn_id is not None:
            result["turnId"] = from_union([from_str, from_none], self.turn_id)
        if self.usage is not None:
            result["usage"] = from_union([lambda x: to_class(FluffyUsage, x), from_none], self.usage)
        return result


@dataclass
class PendingActionElement:
    created_at: str
    id: str
    provenance: PurpleProvenance
    revision: int
    state: State
    updated_at: str
    detail: Any = None

    @staticmethod
    def from_dict(obj: Any) -> 'PendingActionElement':
        assert isinstance(obj, dict)
        created_at = from_str(obj.get("createdAt"))
        id = from_str(obj.get("id"))
        provenance = PurpleProvenance.from_dict(obj.get("provenance"))
        revision = from_int(obj.get("revision"))
        state = State(obj.get("state"))
        updated_at = from_str(obj.get("updatedAt"))
        detail = obj.get("detail")
        return PendingActionElement(created_at, id, provenance, revision, state, updated_at, detail)

    def to_dict(self) -> dict:
        result: dict = {}
        result["createdAt"] = from_str(self.created_at)
        result["id"] = from_str(self.id)
        result["provenance"] = to_class(PurpleProvenance, self.provenance)
        result["revision"] = from_int(self.revision)
        result["state"] = to_enum(State, self.state)
        result["updatedAt"] = from_str(self.updated_at)
        if self.detail is not None:
            result["detail"] = self.detail
        return result


class ProjectionVersion(Enum):
    THE_11 = "1.1"


@dataclass
class RunElement:
    created_at: str
    id: str
    provenance: PurpleProvenance
    revision: int
    state: State
    updated_at: str

    @staticmethod
    def from_dict(obj: Any) -> 'RunElement':
        assert isinstance(obj, dict)
        created_at = from_str(obj.get("createdAt"))
        id = from_str(obj.get("id"))
        provenance = PurpleProvenance.from_dict(obj.get("provenance"))
        revision = from_int(obj.get("revision"))
        state = State(obj.get("state"))
        updated_at = from_str(obj.get("updatedAt"))
        return RunElement(created_at, id, provenance, revision, state, updated_at)

    def to_dict(self) -> dict:
        result: dict = {}
        result["createdAt"] = from_str(self.created_at)
        result["id"] = from_str(self.id)
        result["provenance"] = to_class(PurpleProvenance, self.provenance)
        result["revision"] = from_int(self.revision)
        result["state"] = to_enum(State, self.state)
        result["updatedAt"] = from_str(self.updated_at)
        return result


class SnapshotStatus(Enum):
    DEGRADED = "degraded"
    EXITED = "exited"
    IDLE = "idle"
    LIVE = "live"


@dataclass
class PurpleResult:
    content: List[ContentElement]
    is_error: bool
    detail: Any = None
    synthetic: Optional[bool] = None
    tool_result_id: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'PurpleResult':
        assert isinstance(obj, dict)
        content = from_list(ContentElement.from_dict, obj.get("content"))
        is_error = from_bool(obj.get("isError"))
        detail = obj.get("detail")
        synthetic = from_union([from_bool, from_none], obj.get("synthetic"))
        tool_result_id = from_union([from_str, from_none], obj.get("toolResultId"))
        return PurpleResult(content, is_error, detail, synthetic, tool_result_id)

    def to_dict(self) -> dict:
        result: dict = {}
        result["content"] = from_list(lambda x: to_class(ContentElement, x), self.content)
        result["isError"] = from_bool(self.is_error)
        if self.detail is not None:
            result["detail"] = self.detail
        if self.synthetic is not None:
            result["synthetic"] = from_union([from_bool, from_none], self.synthetic)
        if self.tool_result_id is not None:
            result["toolResultId"] = from_union([from_str, from_none], self.tool_result_id)
        return result


@dataclass
class ToolElement:
    created_at: str
    id: str
    name: str
    provenance: PurpleProvenance
    revision: int
    state: State
    updated_at: str
    arguments: Any = None
    branch: Optional[str] = None
    message_id: Optional[str] = None
    namespace: Optional[str] = None
    result: Optional[PurpleResult] = None
    run_id: Optional[str] = None
    turn_id: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'ToolElement':
        assert isinstance(obj, dict)
        created_at = from_str(obj.get("createdAt"))
        id = from_str(obj.get("id"))
        name = from_str(obj.get("name"))
        provenance = PurpleProvenance.from_dict(obj.get("provenance"))
        revision = from_int(obj.get("revision"))
        state = State(obj.get("state"))
        updated_at = from_str(obj.get("updatedAt"))
        arguments = obj.get("arguments")
        branch = from_union([from_str, from_none], obj.get("branch"))
        message_id = from_union([from_str, from_none], obj.get("messageId"))
        namespace = from_union([from_str, from_none], obj.get("namespace"))
        result = from_union([PurpleResult.from_dict, from_none], obj.get("result"))
        run_id = from_union([from_str, from_none], obj.get("runId"))
        turn_id = from_union([from_str, from_none], obj.get("turnId"))
        return ToolElement(created_at, id, name, provenance, revision, state, updated_at, arguments, branch, message_id, namespace, result, run_id, turn_id)

    def to_dict(self) -> dict:
        result: dict = {}
        result["createdAt"] = from_str(self.created_at)
        result["id"] = from_str(self.id)
        result["name"] = from_str(self.name)
        result["provenance"] = to_class(PurpleProvenance, self.provenance)
        result["revision"] = from_int(self.revision)
        result["state"] = to_enum(State, self.state)
        result["updatedAt"] = from_str(self.updated_at)
        result["arguments"] = self.arguments
        if self.branch is not None:
            result["branch"] = from_union([from_str, from_none], self.branch)
        if self.message_id is not None:
            result["messageId"] = from_union([from_str, from_none], self.message_id)
        if self.namespace is not None:
            result["namespace"] = from_union([from_str, from_none], self.namespace)
        if self.result is not None:
            result["result"] = from_union([lambda x: to_class(PurpleResult, x), from_none], self.result)
        if self.run_id is not None:
            result["runId"] = from_union([from_str, from_none], self.run_id)
        if self.turn_id is not None:
            result["turnId"] = from_union([from_str, from_none], self.turn_id)
        return result


@dataclass
class TurnElement:
    created_at: str
    id: str
    provenance: PurpleProvenance
    revision: int
    state: State
    updated_at: str
    error: Optional[str] = None
    run_id: Optional[str] = None
    usage: Optional[FluffyUsage] = None

    @staticmethod
    def from_dict(obj: Any) -> 'TurnElement':
        assert isinstance(obj, dict)
        created_at = from_str(obj.get("createdAt"))
        id = from_str(obj.get("id"))
        provenance = PurpleProvenance.from_dict(obj.get("provenance"))
        revision = from_int(obj.get("revision"))
        state = State(obj.get("state"))
        updated_at = from_str(obj.get("updatedAt"))
        error = from_union([from_str, from_none], obj.get("error"))
        run_id = from_union([from_str, from_none], obj.get("runId"))
        usage = from_union([FluffyUsage.from_dict, from_none], obj.get("usage"))
        return TurnElement(created_at, id, provenance, revision, state, updated_at, error, run_id, usage)

    def to_dict(self) -> dict:
        result: dict = {}
        result["createdAt"] = from_str(self.created_at)
        result["id"] = from_str(self.id)
        result["provenance"] = to_class(PurpleProvenance, self.provenance)
        result["revision"] = from_int(self.revision)
        result["state"] = to_enum(State, self.state)
        result["updatedAt"] = from_str(self.updated_at)
        if self.error is not None:
            result["error"] = from_union([from_str, from_none], self.error)
        if self.run_id is not None:
            result["runId"] = from_union([from_str, from_none], self.run_id)
        if self.usage is not None:
            result["usage"] = from_union([lambda x: to_class(FluffyUsage, x), from_none], self.usage)
        return result


@dataclass
class Snapshot:
    """A session as its log projects (L2, projection 1.1)"""

    approvals: List[ApprovalElement]
    capabilities: SnapshotCapabilities
    degraded_reasons: List[str]
    epoch: int
    id: str
    messages: List[MessageElement]
    native_session_id: str
    next_seq: int
    pending_actions: List[PendingActionElement]
    projection_version: ProjectionVersion
    revision: int
    runs: List[RunElement]
    schema_version: SchemaVersion
    seq: int
    status: SnapshotStatus
    tools: List[ToolElement]
    turns: List[TurnElement]
    cwd: Optional[str] = None
    git: Optional[SnapshotGit] = None
    model: Optional[str] = None
    title: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'Snapshot':
        assert isinstance(obj, dict)
        approvals = from_list(ApprovalElement.from_dict, obj.get("approvals"))
        capabilities = SnapshotCapabilities.from_dict(obj.get("capabilities"))
        degraded_reasons = from_list(from_str, obj.get("degradedReasons"))
        epoch = from_int(obj.get("epoch"))
        id = from_str(obj.get("id"))
        messages = from_list(MessageElement.from_dict, obj.get("messages"))
        native_session_id = from_str(obj.get("nativeSessionId"))
        next_seq = from_int(obj.get("nextSeq"))
        pending_actions = from_list(PendingActionElement.from_dict, obj.get("pendingActions"))
        projection_version = ProjectionVersion(obj.get("projectionVersion"))
        revision = from_int(obj.get("revision"))
        runs = from_list(RunElement.from_dict, obj.get("runs"))
        schema_version = SchemaVersion(obj.get("schemaVersion"))
        seq = from_int(obj.get("seq"))
        status = SnapshotStatus(obj.get("status"))
        tools = from_list(ToolElement.from_dict, obj.get("tools"))
        turns = from_list(TurnElement.from_dict, obj.get("turns"))
        cwd = from_union([from_str, from_none], obj.get("cwd"))
        git = from_union([SnapshotGit.from_dict, from_none], obj.get("git"))
        model = from_union([from_str, from_none], obj.get("model"))
        title = from_union([from_str, from_none], obj.get("title"))
        return Snapshot(approvals, capabilities, degraded_reasons, epoch, id, messages, native_session_id, next_seq, pending_actions, projection_version, revision, runs, schema_version, seq, status, tools, turns, cwd, git, model, title)

    def to_dict(self) -> dict:
        result: dict = {}
        result["approvals"] = from_list(lambda x: to_class(ApprovalElement, x), self.approvals)
        result["capabilities"] = to_class(SnapshotCapabilities, self.capabilities)
        result["degradedReasons"] = from_list(from_str, self.degraded_reasons)
        result["epoch"] = from_int(self.epoch)
        result["id"] = from_str(self.id)
        result["messages"] = from_list(lambda x: to_class(MessageElement, x), self.messages)
        result["nativeSessionId"] = from_str(self.native_session_id)
        result["nextSeq"] = from_int(self.next_seq)
        result["pendingActions"] = from_list(lambda x: to_class(PendingActionElement, x), self.pending_actions)
        result["projectionVersion"] = to_enum(ProjectionVersion, self.projection_version)
        result["revision"] = from_int(self.revision)
        result["runs"] = from_list(lambda x: to_class(RunElement, x), self.runs)
        result["schemaVersion"] = to_enum(SchemaVersion, self.schema_version)
        result["seq"] = from_int(self.seq)
        result["status"] = to_enum(SnapshotStatus, self.status)
        result["tools"] = from_list(lambda x: to_class(ToolElement, x), self.tools)
        result["turns"] = from_list(lambda x: to_class(TurnElement, x), self.turns)
        if self.cwd is not None:
            result["cwd"] = from_union([from_str, from_none], self.cwd)
        if self.git is not None:
            result["git"] = from_union([lambda x: to_class(SnapshotGit, x), from_none], self.git)
        if self.model is not None:
            result["model"] = from_union([from_str, from_none], self.model)
        if self.title is not None:
            result["title"] = from_union([from_str, from_none], self.title)
        return result


class RelationType(Enum):
    COMPACT = "compact"
    FORK = "fork"
    HANDOFF = "handoff"
    RESUME = "resume"
    SUBAGENT = "subagent"


@dataclass
class PurpleTypeData:
    parent_run_id: Optional[str] = None
    parent_tool_call_id: Optional[str] = None
    source_harness: Optional[str] = None
    target_harness: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'PurpleTypeData':
        assert isinstance(obj, dict)
        parent_run_id = from_union([from_str, from_none], obj.get("parentRunId"))
        parent_tool_call_id = from_union([from_str, from_none], obj.get("parentToolCallId"))
        source_harness = from_union([from_str, from_none], obj.get("sourceHarness"))
        target_harness = from_union([from_str, from_none], obj.get("targetHarness"))
        return PurpleTypeData(parent_run_id, parent_tool_call_id, source_harness, target_harness)

    def to_dict(self) -> dict:
        result: dict = {}
        if self.parent_run_id is not None:
            result["parentRunId"] = from_union([from_str, from_none], self.parent_run_id)
        if self.parent_tool_call_id is not None:
            result["parentToolCallId"] = from_union([from_str, from_none], self.parent_tool_call_id)
        if self.source_harness is not None:
            result["sourceHarness"] = from_union([from_str, from_none], self.source_harness)
        if self.target_harness is not None:
            result["targetHarness"] = from_union([from_str, from_none], self.target_harness)
        return result


@dataclass
class Relation:
    """How one session descends from another"""

    created_at: str
    id: str
    source_session_id: str
    target_session_id: str
    type: RelationType
    type_data: Optional[PurpleTypeData] = None

    @staticmethod
    def from_dict(obj: Any) -> 'Relation':
        assert isinstance(obj, dict)
        created_at = from_str(obj.get("createdAt"))
        id = from_str(obj.get("id"))
        source_session_id = from_str(obj.get("sourceSessionId"))
        target_session_id = from_str(obj.get("targetSessionId"))
        type = RelationType(obj.get("type"))
        type_data = from_union([PurpleTypeData.from_dict, from_none], obj.get("typeData"))
        return Relation(created_at, id, source_session_id, target_session_id, type, type_data)

    def to_dict(self) -> dict:
        result: dict = {}
        result["createdAt"] = from_str(self.created_at)
        result["id"] = from_str(self.id)
        result["sourceSessionId"] = from_str(self.source_session_id)
        result["targetSessionId"] = from_str(self.target_session_id)
        result["type"] = to_enum(RelationType, self.type)
        if self.type_data is not None:
            result["typeData"] = from_union([lambda x: to_class(PurpleTypeData, x), from_none], self.type_data)
        return result


class BundleManifestFormat(Enum):
    ASP_BUNDLE_FOLDER = "asp-bundle-folder"


@dataclass
class AxeValue:
    degraded: int
    dropped: int
    kept: int

    @staticmethod
    def from_dict(obj: Any) -> 'AxeValue':
        assert isinstance(obj, dict)
        degraded = from_int(obj.get("degraded"))
        dropped = from_int(obj.get("dropped"))
        kept = from_int(obj.get("kept"))
        return AxeValue(degraded, dropped, kept)

    def to_dict(self) -> dict:
        result: dict = {}
        result["degraded"] = from_int(self.degraded)
        result["dropped"] = from_int(self.dropped)
        result["kept"] = from_int(self.kept)
        return result


@dataclass
class Events:
    bytes: int
    count: int
    sha256: str

    @staticmethod
    def from_dict(obj: Any) -> 'Events':
        assert isinstance(obj, dict)
        bytes = from_int(obj.get("bytes"))
        count = from_int(obj.get("count"))
        sha256 = from_str(obj.get("sha256"))
        return Events(bytes, count, sha256)

    def to_dict(self) -> dict:
        result: dict = {}
        result["bytes"] = from_int(self.bytes)
        result["count"] = from_int(self.count)
        result["sha256"] = from_str(self.sha256)
        return result


class Encoding(Enum):
    ZSTD = "zstd"


class FileRole(Enum):
    ANCESTOR = "ancestor"
    COMPANION = "companion"
    TRANSCRIPT = "transcript"


@dataclass
class FileElement:
    blob: str
    relative: str
    role: FileRole
    size: int
    encoding: Optional[Encoding] = None
    mode: Optional[int] = None
    mtime_ms: Optional[float] = None

    @staticmethod
    def from_dict(obj: Any) -> 'FileElement':
        assert isinstance(obj, dict)
        blob = from_str(obj.get("blob"))
        relative = from_str(obj.get("relative"))
        role = FileRole(obj.get("role"))
        size = from_int(obj.get("size"))
        encoding = from_union([Encoding, from_none], obj.get("encoding"))
        mode = from_union([from_int, from_none], obj.get("mode"))
        mtime_ms = from_union([from_float, from_none], obj.get("mtimeMs"))
        return FileElement(blob, relative, role, size, encoding, mode, mtime_ms)

    def to_dict(self) -> dict:
        result: dict = {}
        result["blob"] = from_str(self.blob)
        result["relative"] = from_str(self.relative)
        result["role"] = to_enum(FileRole, self.role)
        result["size"] = from_int(self.size)
        if self.encoding is not None:
            result["encoding"] = from_union([lambda x: to_enum(Encoding, x), from_none], self.encoding)
        if self.mode is not None:
            result["mode"] = from_union([from_int, from_none], self.mode)
        if self.mtime_ms is not None:
            result["mtimeMs"] = from_union([to_float, from_none], self.mtime_ms)
        return result


@dataclass
class SessionGit:
    branch: Optional[str] = None
    commit: Optional[str] = None
    repository: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'SessionGit':
        assert isinstance(obj, dict)
        branch = from_union([from_str, from_none], obj.get("branch"))
        commit = from_union([from_str, from_none], obj.get("commit"))
        repository = from_union([from_str, from_none], obj.get("repository"))
        return SessionGit(branch, commit, repository)

    def to_dict(self) -> dict:
        result: dict = {}
        if self.branch is not None:
            result["branch"] = from_union([from_str, from_none], self.branch)
        if self.commit is not None:
            result["commit"] = from_union([from_str, from_none], self.commit)
        if self.repository is not None:
            result["repository"] = from_union([from_str, from_none], self.repository)
        return result


class Axis(Enum):
    AGENTS = "agents"
    APPROVALS = "approvals"
    BRANCHES = "branches"
    COMMANDS = "commands"
    COMPACTION = "compaction"
    CWD = "cwd"
    DOCUMENTS = "documents"
    ERRORS = "errors"
    FILE_SNAPSHOTS = "file-snapshots"
    GIT = "git"
    HOOKS = "hooks"
    IDS = "ids"
    IMAGES = "images"
    INJECTED_CONTEXT = "injected-context"
    INSTRUCTIONS = "instructions"
    INSTRUCTION_SCOPES = "instruction-scopes"
    LINEAGE = "lineage"
    MCP_OPTIONS = "mcp-options"
    MCP_SERVERS = "mcp-servers"
    MESSAGES = "messages"
    MODELS = "models"
    NOTES = "notes"
    OPAQUE_REASONING = "opaque-reasoning"
    OPTIONS = "options"
    OUTPUT_STYLES = "output-styles"
    PERMISSIONS = "permissions"
    PLANS = "plans"
    PLUGINS = "plugins"
    RAW = "raw"
    SECRETS = "secrets"
    SETTINGS = "settings"
    SIDE_RECORDS = "side-records"
    SKILLS = "skills"
    SKILL_RESTRICTIONS = "skill-restrictions"
    SUBAGENTS = "subagents"
    THINKING = "thinking"
    TIMES = "times"
    TITLE = "title"
    TOOL_CALLS = "tool-calls"
    TOOL_DETAILS = "tool-details"
    TOOL_RESULTS = "tool-results"
    TURNS = "turns"
    USAGE = "usage"


class LossKind(Enum):
    INSTRUCTIONS = "instructions"
    MEMORY = "memory"
    SESSIONS = "sessions"
    SETTINGS = "settings"
    SKILLS = "skills"
    TOOLS = "tools"


class LossLevel(Enum):
    DROPPED = "dropped"
    EVIDENCE_ONLY = "evidence-only"
    NOT_IN_SOURCE = "not-in-source"
    PARTIAL = "partial"


@dataclass
class PlaceElement:
    item: Optional[str] = None
    record: Optional[int] = None
    session: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'PlaceElement':
        assert isinstance(obj, dict)
        item = from_union([from_str, from_none], obj.get("item"))
        record = from_union([from_int, from_none], obj.get("record"))
        session = from_union([from_str, from_none], obj.get("session"))
        return PlaceElement(item, record, session)

    def to_dict(self) -> dict:
        result: dict = {}
        if self.item is not None:
            result["item"] = from_union([from_str, from_none], self.item)
        if self.record is not None:
            result["record"] = from_union([from_int, from_none], self.record)
        if self.session is not None:
            result["session"] = from_union([from_str, from_none], self.session)
        return result


class Reason(Enum):
    ABANDONED_BRANCH = "abandoned-branch"
    CONSENT_NEEDED = "consent-needed"
    DAMAGED = "damaged"
    DANGLING_PARENT = "dangling-parent"
    DUPLICATE = "duplicate"
    DUPLICATE_ID = "duplicate-id"
    EMPTY = "empty"
    ENCRYPTED = "encrypted"
    EVIDENCE_MISSING = "evidence-missing"
    EXISTS = "exists"
    FOREIGN_SIGNATURE = "foreign-signature"
    GENERATED = "generated"
    HARNESS_PREAMBLE = "harness-preamble"
    ID_NOT_LEGAL = "id-not-legal"
    INDEX_ONLY = "index-only"
    INVALID_FORM = "invalid-form"
    INVALID_TEXT = "invalid-text"
    LINK_COPIED = "link-copied"
    LINK_OUTSIDE = "link-outside"
    MANAGED = "managed"
    MARKED_BLOCK = "marked-block"
    MERGED = "merged"
    MISSING_FILE = "missing-file"
    MISSING_PARENT = "missing-parent"
    MISSING_RESULT = "missing-result"
    NOT_EXPANDED = "not-expanded"
    NOT_IN_SOURCE = "not-in-source"
    NOT_SHARED = "not-shared"
    NOT_SUPPORTED = "not-supported"
    NO_COUNTERPART = "no-counterpart"
    NO_EQUAL = "no-equal"
    NO_PLACE = "no-place"
    ORPHAN_RESULT = "orphan-result"
    OVER_BOUND = "over-bound"
    PREFIX_CHANGED = "prefix-changed"
    REDACTED = "redacted"
    RESTRICTION_LOST = "restriction-lost"
    RE_ENCODED = "re-encoded"
    SCOPE_CHANGED = "scope-changed"
    SECRET = "secret"
    SHOWN_NOT_SENT = "shown-not-sent"
    SOURCE_GREW = "source-grew"
    SUPERSEDED = "superseded"
    SWITCHED_OFF = "switched-off"
    TARGET_LIMIT = "target-limit"
    TIME_INFERRED = "time-inferred"
    TORN_TAIL = "torn-tail"
    UNPARSABLE = "unparsable"
    UNREADABLE = "unreadable"
    UNSAFE = "unsafe"
    WOULD_WIDEN = "would-widen"


@dataclass
class LossElement:
    axis: Axis
    count: int
    kind: LossKind
    level: LossLevel
    places: List[PlaceElement]
    reason: Reason

    @staticmethod
    def from_dict(obj: Any) -> 'LossElement':
        assert isinstance(obj, dict)
        axis = Axis(obj.get("axis"))
        count = from_int(obj.get("count"))
        kind = LossKind(obj.get("kind"))
        level = LossLevel(obj.get("level"))
        places = from_list(PlaceElement.from_dict, obj.get("places"))
        reason = Reason(obj.get("reason"))
        return LossElement(axis, count, kind, level, places, reason)

    def to_dict(self) -> dict:
        result: dict = {}
        result["axis"] = to_enum(Axis, self.axis)
        result["count"] = from_int(self.count)
        result["kind"] = to_enum(LossKind, self.kind)
        result["level"] = to_enum(LossLevel, self.level)
        result["places"] = from_list(lambda x: to_class(PlaceElement, x), self.places)
        result["reason"] = to_enum(Reason, self.reason)
        return result


class RelationEnum(Enum):
    FORK = "fork"
    RESUME = "resume"
    SUBAGENT = "subagent"


@dataclass
class Parent:
    id: str
    relation: RelationEnum
    tool_call_id: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'Parent':
        assert isinstance(obj, dict)
        id = from_str(obj.get("id"))
        relation = RelationEnum(obj.get("relation"))
        tool_call_id = from_union([from_str, from_none], obj.get("toolCallId"))
        return Parent(id, relation, tool_call_id)

    def to_dict(self) -> dict:
        result: dict = {}
        result["id"] = from_str(self.id)
        result["relation"] = to_enum(RelationEnum, self.relation)
        if self.tool_call_id is not None:
            result["toolCallId"] = from_union([from_str, from_none], self.tool_call_id)
        return result


@dataclass
class PurpleRecords:
    evidence: int
    lost: int
    mapped: int
    read: int

    @staticmethod
    def from_dict(obj: Any) -> 'PurpleRecords':
        assert isinstance(obj, dict)
        evidence = from_int(obj.get("evidence"))
        lost = from_int(obj.get("lost"))
        mapped = from_int(obj.get("mapped"))
        read = from_int(obj.get("read"))
        return PurpleRecords(evidence, lost, mapped, read)

    def to_dict(self) -> dict:
        result: dict = {}
        result["evidence"] = from_int(self.evidence)
        result["lost"] = from_int(self.lost)
        result["mapped"] = from_int(self.mapped)
        result["read"] = from_int(self.read)
        return result


class TitleFrom(Enum):
    AGENT = "agent"
    PROMPT = "prompt"
    USER = "user"


@dataclass
class SessionElement:
    axes: Dict[str, AxeValue]
    children: List[str]
    events: Events
    files: List[FileElement]
    harness: str
    id: str
    losses: List[LossElement]
    messages: int
    native_session_id: str
    records: PurpleRecords
    tool_calls: int
    archived: Optional[bool] = None
    created_at: Optional[str] = None
    cwd: Optional[str] = None
    git: Optional[SessionGit] = None
    harness_version: Optional[str] = None
    model: Optional[str] = None
    parent: Optional[Parent] = None
    times_inferred: Optional[bool] = None
    title: Optional[str] = None
    title_from: Optional[TitleFrom] = None
    updated_at: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'SessionElement':
        assert isinstance(obj, dict)
        axes = from_dict(AxeValue.from_dict, obj.get("axes"))
        children = from_list(from_str, obj.get("children"))
        events = Events.from_dict(obj.get("events"))
        files = from_list(FileElement.from_dict, obj.get("files"))
        harness = from_str(obj.get("harness"))
        id = from_str(obj.get("id"))
        losses = from_list(LossElement.from_dict, obj.get("losses"))
        messages = from_int(obj.get("messages"))
        native_session_id = from_str(obj.get("nativeSessionId"))
        records = PurpleRecords.from_dict(obj.get("records"))
        tool_calls = from_int(obj.get("toolCalls"))
        archived = from_union([from_bool, from_none], obj.get("archived"))
        created_at = from_union([from_str, from_none], obj.get("createdAt"))
        cwd = from_union([from_str, from_none], obj.get("cwd"))
        git = from_union([SessionGit.from_dict, from_none], obj.get("git"))
        harness_version = from_union([from_str, from_none], obj.get("harnessVersion"))
        model = from_union([from_str, from_none], obj.get("model"))
        parent = from_union([Parent.from_dict, from_none], obj.get("parent"))
        times_inferred = from_union([from_bool, from_none], obj.get("timesInferred"))
        title = from_union([from_str, from_none], obj.get("title"))
        title_from = from_union([TitleFrom, from_none], obj.get("titleFrom"))
        updated_at = from_union([from_str, from_none], obj.get("updatedAt"))
        return SessionElement(axes, children, events, files, harness, id, losses, messages, native_session_id, records, tool_calls, archived, created_at, cwd, git, harness_version, model, parent, times_inferred, title, title_from, updated_at)

    def to_dict(self) -> dict:
        result: dict = {}
        result["axes"] = from_dict(lambda x: to_class(AxeValue, x), self.axes)
        result["children"] = from_list(from_str, self.children)
        result["events"] = to_class(Events, self.events)
        result["files"] = from_list(lambda x: to_class(FileElement, x), self.files)
        result["harness"] = from_str(self.harness)
        result["id"] = from_str(self.id)
        result["losses"] = from_list(lambda x: to_class(LossElement, x), self.losses)
        result["messages"] = from_int(self.messages)
        result["nativeSessionId"] = from_str(self.native_session_id)
        result["records"] = to_class(PurpleRecords, self.records)
        result["toolCalls"] = from_int(self.tool_calls)
        if self.archived is not None:
            result["archived"] = from_union([from_bool, from_none], self.archived)
        if self.created_at is not None:
            result["createdAt"] = from_union([from_str, from_none], self.created_at)
        if self.cwd is not None:
            result["cwd"] = from_union([from_str, from_none], self.cwd)
        if self.git is not None:
            result["git"] = from_union([lambda x: to_class(SessionGit, x), from_none], self.git)
        if self.harness_version is not None:
            result["harnessVersion"] = from_union([from_str, from_none], self.harness_version)
        if self.model is not None:
            result["model"] = from_union([from_str, from_none], self.model)
        if self.parent is not None:
            result["parent"] = from_union([lambda x: to_class(Parent, x), from_none], self.parent)
        if self.times_inferred is not None:
            result["timesInferred"] = from_union([from_bool, from_none], self.times_inferred)
        if self.title is not None:
            result["title"] = from_union([from_str, from_none], self.title)
        if self.title_from is not None:
            result["titleFrom"] = from_union([lambda x: to_enum(TitleFrom, x), from_none], self.title_from)
        if self.updated_at is not None:
            result["updatedAt"] = from_union([from_str, from_none], self.updated_at)
        return result


@dataclass
class BundleManifest:
    """manifest.json of a portable bundle folder"""

    format: BundleManifestFormat
    schema_version: SchemaVersion
    sessions: List[SessionElement]
    version: float

    @staticmethod
    def from_dict(obj: Any) -> 'BundleManifest':
        assert isinstance(obj, dict)
        format = BundleManifestFormat(obj.get("format"))
        schema_version = SchemaVersion(obj.get("schemaVersion"))
        sessions = from_list(SessionElement.from_dict, obj.get("sessions"))
        version = from_float(obj.get("version"))
        return BundleManifest(format, schema_version, sessions, version)

    def to_dict(self) -> dict:
        result: dict = {}
        result["format"] = to_enum(BundleManifestFormat, self.format)
        result["schemaVersion"] = to_enum(SchemaVersion, self.schema_version)
        result["sessions"] = from_list(lambda x: to_class(SessionElement, x), self.sessions)
        result["version"] = to_float(self.version)
        return result


@dataclass
class EvidenceCorrelation:
    agent_session_id: Optional[str] = None
    client_action_id: Optional[str] = None
    message_id: Optional[str] = None
    parent_id: Optional[str] = None
    run_id: Optional[str] = None
    tool_call_id: Optional[str] = None
    tool_result_id: Optional[str] = None
    turn_id: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'EvidenceCorrelation':
        assert isinstance(obj, dict)
        agent_session_id = from_union([from_str, from_none], obj.get("agentSessionId"))
        client_action_id = from_union([from_str, from_none], obj.get("clientActionId"))
        message_id = from_union([from_str, from_none], obj.get("messageId"))
        parent_id = from_union([from_str, from_none], obj.get("parentId"))
        run_id = from_union([from_str, from_none], obj.get("runId"))
        tool_call_id = from_union([from_str, from_none], obj.get("toolCallId"))
        tool_result_id = from_union([from_str, from_none], obj.get("toolResultId"))
        turn_id = from_union([from_str, from_none], obj.get("turnId"))
        return EvidenceCorrelation(agent_session_id, client_action_id, message_id, parent_id, run_id, tool_call_id, tool_result_id, turn_id)

    def to_dict(self) -> dict:
        result: dict = {}
        if self.agent_session_id is not None:
            result["agentSessionId"] = from_union([from_str, from_none], self.agent_session_id)
        if self.client_action_id is not None:
            result["clientActionId"] = from_union([from_str, from_none], self.client_action_id)
        if self.message_id is not None:
            result["messageId"] = from_union([from_str, from_none], self.message_id)
        if self.parent_id is not None:
            result["parentId"] = from_union([from_str, from_none], self.parent_id)
        if self.run_id is not None:
            result["runId"] = from_union([from_str, from_none], self.run_id)
        if self.tool_call_id is not None:
            result["toolCallId"] = from_union([from_str, from_none], self.tool_call_id)
        if self.tool_result_id is not None:
            result["toolResultId"] = from_union([from_str, from_none], self.tool_result_id)
        if self.turn_id is not None:
            result["turnId"] = from_union([from_str, from_none], self.turn_id)
        return result


@dataclass
class EvidenceClass:
    blob: str
    length: int
    offset: int
    record: int
    file: Optional[int] = None

    @staticmethod
    def from_dict(obj: Any) -> 'EvidenceClass':
        assert isinstance(obj, dict)
        blob = from_str(obj.get("blob"))
        length = from_int(obj.get("length"))
        offset = from_int(obj.get("offset"))
        record = from_int(obj.get("record"))
        file = from_union([from_int, from_none], obj.get("file"))
        return EvidenceClass(blob, length, offset, record, file)

    def to_dict(self) -> dict:
        result: dict = {}
        result["blob"] = from_str(self.blob)
        result["length"] = from_int(self.length)
        result["offset"] = from_int(self.offset)
        result["record"] = from_int(self.record)
        if self.file is not None:
            result["file"] = from_union([from_int, from_none], self.file)
        return result


@dataclass
class TentacledContent:
    type: PurpleType
    text: Optional[str] = None
    signature: Optional[str] = None
    arguments: Any = None
    freeform: Optional[bool] = None
    name: Optional[str] = None
    namespace: Optional[str] = None
    tool_call_id: Optional[str] = None
    alt: Optional[str] = None
    data: Optional[str] = None
    mime_type: Optional[str] = None
    uri: Optional[str] = None
    media_type: Optional[str] = None
    title: Optional[str] = None
    code: Optional[str] = None
    detail: Any = None
    message: Optional[str] = None
    native_type: Optional[str] = None
    value: Any = None

    @staticmethod
    def from_dict(obj: Any) -> 'TentacledContent':
        assert isinstance(obj, dict)
        type = PurpleType(obj.get("type"))
        text = from_union([from_str, from_none], obj.get("text"))
        signature = from_union([from_str, from_none], obj.get("signature"))
        arguments = obj.get("arguments")
        freeform = from_union([from_bool, from_none], obj.get("freeform"))
        name = from_union([from_str, from_none], obj.get("name"))
        namespace = from_union([from_str, from_none], obj.get("namespace"))
        tool_call_id = from_union([from_str, from_none], obj.get("toolCallId"))
        alt = from_union([from_str, from_none], obj.get("alt"))
        data = from_union([from_str, from_none], obj.get("data"))
        mime_type = from_union([from_str, from_none], obj.get("mimeType"))
        uri = from_union([from_str, from_none], obj.get("uri"))
        media_type = from_union([from_str, from_none], obj.get("mediaType"))
        title = from_union([from_str, from_none], obj.get("title"))
        code = from_union([from_str, from_none], obj.get("code"))
        detail = obj.get("detail")
        message = from_union([from_str, from_none], obj.get("message"))
        native_type = from_union([from_str, from_none], obj.get("nativeType"))
        value = obj.get("value")
        return TentacledContent(type, text, signature, arguments, freeform, name, namespace, tool_call_id, alt, data, mime_type, uri, media_type, title, code, detail, message, native_type, value)

    def to_dict(self) -> dict:
        result: dict = {}
        result["type"] = to_enum(PurpleType, self.type)
        if self.text is not None:
            result["text"] = from_union([from_str, from_none], self.text)
        if self.signature is not None:
            result["signature"] = from_union([from_str, from_none], self.signature)
        if self.arguments is not None:
            result["arguments"] = self.arguments
        if self.freeform is not None:
            result["freeform"] = from_union([from_bool, from_none], self.freeform)
        if self.name is not None:
            result["name"] = from_union([from_str, from_none], self.name)
        if self.namespace is not None:
            result["namespace"] = from_union([from_str, from_none], self.namespace)
        if self.tool_call_id is not None:
            result["toolCallId"] = from_union([from_str, from_none], self.tool_call_id)
        if self.alt is not None:
            result["alt"] = from_union([from_str, from_none], self.alt)
        if self.data is not None:
            result["data"] = from_union([from_str, from_none], self.data)
        if self.mime_type is not None:
            result["mimeType"] = from_union([from_str, from_none], self.mime_type)
        if self.uri is not None:
            result["uri"] = from_union([from_str, from_none], self.uri)
        if self.media_type is not None:
            result["mediaType"] = from_union([from_str, from_none], self.media_type)
        if self.title is not None:
            result["title"] = from_union([from_str, from_none], self.title)
        if self.code is not None:
            result["code"] = from_union([from_str, from_none], self.code)
        if self.detail is not None:
            result["detail"] = self.detail
        if self.message is not None:
            result["message"] = from_union([from_str, from_none], self.message)
        if self.native_type is not None:
            result["nativeType"] = from_union([from_str, from_none], self.native_type)
        if self.value is not None:
            result["value"] = self.value
        return result


@dataclass
class ResultElement:
    type: BlockType
    text: Optional[str] = None
    signature: Optional[str] = None
    arguments: Any = None
    freeform: Optional[bool] = None
    name: Optional[str] = None
    namespace: Optional[str] = None
    tool_call_id: Optional[str] = None
    alt: Optional[str] = None
    data: Optional[str] = None
    mime_type: Optional[str] = None
    uri: Optional[str] = None
    media_type: Optional[str] = None
    title: Optional[str] = None
    code: Optional[str] = None
    detail: Any = None
    message: Optional[str] = None
    native_type: Optional[str] = None
    value: Any = None
    content: Optional[List[TentacledContent]] = None
    is_error: Optional[bool] = None
    tool_result_id: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'ResultElement':
        assert isinstance(obj, dict)
        type = BlockType(obj.get("type"))
        text = from_union([from_str, from_none], obj.get("text"))
        signature = from_union([from_str, from_none], obj.get("signature"))
        arguments = obj.get("arguments")
        freeform = from_union([from_bool, from_none], obj.get("freeform"))
        name = from_union([from_str, from_none], obj.get("name"))
        namespace = from_union([from_str, from_none], obj.get("namespace"))
        tool_call_id = from_union([from_str, from_none], obj.get("toolCallId"))
        alt = from_union([from_str, from_none], obj.get("alt"))
        data = from_union([from_str, from_none], obj.get("data"))
        mime_type = from_union([from_str, from_none], obj.get("mimeType"))
        uri = from_union([from_str, from_none], obj.get("uri"))
        media_type = from_union([from_str, from_none], obj.get("mediaType"))
        title = from_union([from_str, from_none], obj.get("title"))
        code = from_union([from_str, from_none], obj.get("code"))
        detail = obj.get("detail")
        message = from_union([from_str, from_none], obj.get("message"))
        native_type = from_union([from_str, from_none], obj.get("nativeType"))
        value = obj.get("value")
        content = from_union([lambda x: from_list(TentacledContent.from_dict, x), from_none], obj.get("content"))
        is_error = from_union([from_bool, from_none], obj.get("isError"))
        tool_result_id = from_union([from_str, from_none], obj.get("toolResultId"))
        return ResultElement(type, text, signature, arguments, freeform, name, namespace, tool_call_id, alt, data, mime_type, uri, media_type, title, code, detail, message, native_type, value, content, is_error, tool_result_id)

    def to_dict(self) -> dict:
        result: dict = {}
        result["type"] = to_enum(BlockType, self.type)
        if self.text is not None:
            result["text"] = from_union([from_str, from_none], self.text)
        if self.signature is not None:
            result["signature"] = from_union([from_str, from_none], self.signature)
        if self.arguments is not None:
            result["arguments"] = self.arguments
        if self.freeform is not None:
            result["freeform"] = from_union([from_bool, from_none], self.freeform)
        if self.name is not None:
            result["name"] = from_union([from_str, from_none], self.name)
        if self.namespace is not None:
            result["namespace"] = from_union([from_str, from_none], self.namespace)
        if self.tool_call_id is not None:
            result["toolCallId"] = from_union([from_str, from_none], self.tool_call_id)
        if self.alt is not None:
            result["alt"] = from_union([from_str, from_none], self.alt)
        if self.data is not None:
            result["data"] = from_union([from_str, from_none], self.data)
        if self.mime_type is not None:
            result["mimeType"] = from_union([from_str, from_none], self.mime_type)
        if self.uri is not None:
            result["uri"] = from_union([from_str, from_none], self.uri)
        if self.media_type is not None:
            result["mediaType"] = from_union([from_str, from_none], self.media_type)
        if self.title is not None:
            result["title"] = from_union([from_str, from_none], self.title)
        if self.code is not None:
            result["code"] = from_union([from_str, from_none], self.code)
        if self.detail is not None:
            result["detail"] = self.detail
        if self.message is not None:
            result["message"] = from_union([from_str, from_none], self.message)
        if self.native_type is not None:
            result["nativeType"] = from_union([from_str, from_none], self.native_type)
        if self.value is not None:
            result["value"] = self.value
        if self.content is not None:
            result["content"] = from_union([lambda x: from_list(lambda x: to_class(TentacledContent, x), x), from_none], self.content)
        if self.is_error is not None:
            result["isError"] = from_union([from_bool, from_none], self.is_error)
        if self.tool_result_id is not None:
            result["toolResultId"] = from_union([from_str, from_none], self.tool_result_id)
        return result


@dataclass
class FluffyContext:
    type: str
    payload: Any = None

    @staticmethod
    def from_dict(obj: Any) -> 'FluffyContext':
        assert isinstance(obj, dict)
        type = from_str(obj.get("type"))
        payload = obj.get("payload")
        return FluffyContext(type, payload)

    def to_dict(self) -> dict:
        result: dict = {}
        result["type"] = from_str(self.type)
        result["payload"] = self.payload
        return result


@dataclass
class PivotGit:
    branch: Optional[str] = None
    commit: Optional[str] = None
    repository: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'PivotGit':
        assert isinstance(obj, dict)
        branch = from_union([from_str, from_none], obj.get("branch"))
        commit = from_union([from_str, from_none], obj.get("commit"))
        repository = from_union([from_str, from_none], obj.get("repository"))
        return PivotGit(branch, commit, repository)

    def to_dict(self) -> dict:
        result: dict = {}
        if self.branch is not None:
            result["branch"] = from_union([from_str, from_none], self.branch)
        if self.commit is not None:
            result["commit"] = from_union([from_str, from_none], self.commit)
        if self.repository is not None:
            result["repository"] = from_union([from_str, from_none], self.repository)
        return result


@dataclass
class FluffyPlan:
    content: str
    status: PlanStatus
    priority: Optional[Priority] = None

    @staticmethod
    def from_dict(obj: Any) -> 'FluffyPlan':
        assert isinstance(obj, dict)
        content = from_str(obj.get("content"))
        status = PlanStatus(obj.get("status"))
        priority = from_union([Priority, from_none], obj.get("priority"))
        return FluffyPlan(content, status, priority)

    def to_dict(self) -> dict:
        result: dict = {}
        result["content"] = from_str(self.content)
        result["status"] = to_enum(PlanStatus, self.status)
        if self.priority is not None:
            result["priority"] = from_union([lambda x: to_enum(Priority, x), from_none], self.priority)
        return result


@dataclass
class TentacledUsage:
    cache_read_tokens: Optional[float] = None
    cache_write_tokens: Optional[float] = None
    cost_usd: Optional[float] = None
    input_tokens: Optional[float] = None
    output_tokens: Optional[float] = None
    reasoning_tokens: Optional[float] = None
    total_tokens: Optional[float] = None

    @staticmethod
    def from_dict(obj: Any) -> 'TentacledUsage':
        assert isinstance(obj, dict)
        cache_read_tokens = from_union([from_float, from_none], obj.get("cacheReadTokens"))
        cache_write_tokens = from_union([from_float, from_none], obj.get("cacheWriteTokens"))
        cost_usd = from_union([from_float, from_none], obj.get("costUsd"))
        input_tokens = from_union([from_float, from_none], obj.get("inputTokens"))
        output_tokens = from_union([from_float, from_none], obj.get("outputTokens"))
        reasoning_tokens = from_union([from_float, from_none], obj.get("reasoningTokens"))
        total_tokens = from_union([from_float, from_none], obj.get("totalTokens"))
        return TentacledUsage(cache_read_tokens, cache_write_tokens, cost_usd, input_tokens, output_tokens, reasoning_tokens, total_tokens)

    def to_dict(self) -> dict:
        result: dict = {}
        if self.cache_read_tokens is not None:
            result["cacheReadTokens"] = from_union([to_float, from_none], self.cache_read_tokens)
        if self.cache_write_tokens is not None:
            result["cacheWriteTokens"] = from_union([to_float, from_none], self.cache_write_tokens)
        if self.cost_usd is not None:
            result["costUsd"] = from_union([to_float, from_none], self.cost_usd)
        if self.input_tokens is not None:
            result["inputTokens"] = from_union([to_float, from_none], self.input_tokens)
        if self.output_tokens is not None:
            result["outputTokens"] = from_union([to_float, from_none], self.output_tokens)
        if self.reasoning_tokens is not None:
            result["reasoningTokens"] = from_union([to_float, from_none], self.reasoning_tokens)
        if self.total_tokens is not None:
            result["totalTokens"] = from_union([to_float, from_none], self.total_tokens)
        return result


@dataclass
class EvidencePayload:
    cwd: Optional[str] = None
    git: Optional[PivotGit] = None
    harness_version: Optional[str] = None
    model: Optional[str] = None
    native_session_id: Optional[str] = None
    title: Optional[str] = None
    reason: Optional[str] = None
    title_by: Optional[TitleBy] = None
    settings: Optional[Dict[str, Union[float, bool, str]]] = None
    text: Optional[str] = None
    run_id: Optional[str] = None
    status: Optional[str] = None
    turn_id: Optional[str] = None
    error: Optional[str] = None
    usage: Optional[TentacledUsage] = None
    message_id: Optional[str] = None
    role: Optional[PayloadRole] = None
    audience: Optional[List[Audience]] = None
    blocks: Optional[List[ResultElement]] = None
    display: Optional[str] = None
    injected: Optional[Injected] = None
    kind: Optional[PayloadKind] = None
    revision: Optional[float] = None
    stop_reason: Optional[str] = None
    arguments: Any = None
    name: Optional[str] = None
    tool_call_id: Optional[str] = None
    content: Optional[List[ResultElement]] = None
    detail: Any = None
    is_error: Optional[bool] = None
    result: Optional[List[ResultElement]] = None
    synthetic: Optional[bool] = None
    tool_result_id: Optional[str] = None
    approval_id: Optional[str] = None
    outcome: Optional[str] = None
    media_type: Optional[str] = None
    uri: Optional[str] = None
    plan: Optional[List[FluffyPlan]] = None
    client_action_id: Optional[str] = None
    context: Optional[List[FluffyContext]] = None
    trigger: Optional[Trigger] = None
    turns: Optional[float] = None
    axis: Optional[str] = None
    native_type: Optional[str] = None
    value: Any = None

    @staticmethod
    def from_dict(obj: Any) -> 'EvidencePayload':
        assert isinstance(obj, dict)
        cwd = from_union([from_str, from_none], obj.get("cwd"))
        git = from_union([PivotGit.from_dict, from_none], obj.get("git"))
        harness_version = from_union([from_str, from_none], obj.get("harnessVersion"))
        model = from_union([from_str, from_none], obj.get("model"))
        native_session_id = from_union([from_str, from_none], obj.get("nativeSessionId"))
        title = from_union([from_str, from_none], obj.get("title"))
        reason = from_union([from_str, from_none], obj.get("reason"))
        title_by = from_union([TitleBy, from_none], obj.get("titleBy"))
        settings = from_union([lambda x: from_dict(lambda x: from_union([from_float, from_bool, from_str], x), x), from_none], obj.get("settings"))
        text = from_union([from_str, from_none], obj.get("text"))
        run_id = from_union([from_str, from_none], obj.get("runId"))
        status = from_union([from_str, from_none], obj.get("status"))
        turn_id = from_union([from_str, from_none], obj.get("turnId"))
        error = from_union([from_str, from_none], obj.get("error"))
        usage = from_union([TentacledUsage.from_dict, from_none], obj.get("usage"))
        message_id = from_union([from_str, from_none], obj.get("messageId"))
        role = from_union([PayloadRole, from_none], obj.get("role"))
        audience = from_union([lambda x: from_list(Audience, x), from_none], obj.get("audience"))
        blocks = from_union([lambda x: from_list(ResultElement.from_dict, x), from_none], obj.get("blocks"))
        display = from_union([from_str, from_none], obj.get("display"))
        injected = from_union([Injected, from_none], obj.get("injected"))
        kind = from_union([PayloadKind, from_none], obj.get("kind"))
        revision = from_union([from_float, from_none], obj.get("revision"))
        stop_reason = from_union([from_str, from_none], obj.get("stopReason"))
        arguments = obj.get("arguments")
        name = from_union([from_str, from_none], obj.get("name"))
        tool_call_id = from_union([from_str, from_none], obj.get("toolCallId"))
        content = from_union([lambda x: from_list(ResultElement.from_dict, x), from_none], obj.get("content"))
        detail = obj.get("detail")
        is_error = from_union([from_bool, from_none], obj.get("isError"))
        result = from_union([lambda x: from_list(ResultElement.from_dict, x), from_none], obj.get("result"))
        synthetic = from_union([from_bool, from_none], obj.get("synthetic"))
        tool_result_id = from_union([from_str, from_none], obj.get("toolResultId"))
        approval_id = from_union([from_str, from_none], obj.get("approvalId"))
        outcome = from_union([from_str, from_none], obj.get("outcome"))
        media_type = from_union([from_str, from_none], obj.get("mediaType"))
        uri = from_union([from_str, from_none], obj.get("uri"))
        plan = from_union([lambda x: from_list(FluffyPlan.from_dict, x), from_none], obj.get("plan"))
        client_action_id = from_union([from_str, from_none], obj.get("clientActionId"))
        context = from_union([lambda x: from_list(FluffyContext.from_dict, x), from_none], obj.get("context"))
        trigger = from_union([Trigger, from_none], obj.get("trigger"))
        turns = from_union([from_float, from_none], obj.get("turns"))
        axis = from_union([from_str, from_none], obj.get("axis"))
        native_type = from_union([from_str, from_none], obj.get("nativeType"))
        value = obj.get("value")
        return EvidencePayload(cwd, git, harness_version, model, native_session_id, title, reason, title_by, settings, text, run_id, status, turn_id, error, usage, message_id, role, audience, blocks, display, injected, kind, revision, stop_reason, arguments, name, tool_call_id, content, detail, is_error, result, synthetic, tool_result_id, approval_id, outcome, media_type, uri, plan, client_action_id, context, trigger, turns, axis, native_type, value)

    def to_dict(self) -> dict:
        result: dict = {}
        if self.cwd is not None:
            result["cwd"] = from_union([from_str, from_none], self.cwd)
        if self.git is not None:
            result["git"] = from_union([lambda x: to_class(PivotGit, x), from_none], self.git)
        if self.harness_version is not None:
            result["harnessVersion"] = from_union([from_str, from_none], self.harness_version)
        if self.model is not None:
            result["model"] = from_union([from_str, from_none], self.model)
        if self.native_session_id is not None:
            result["nativeSessionId"] = from_union([from_str, from_none], self.native_session_id)
        if self.title is not None:
            result["title"] = from_union([from_str, from_none], self.title)
        if self.reason is not None:
            result["reason"] = from_union([from_str, from_none], self.reason)
        if self.title_by is not None:
            result["titleBy"] = from_union([lambda x: to_enum(TitleBy, x), from_none], self.title_by)
        if self.settings is not None:
            result["settings"] = from_union([lambda x: from_dict(lambda x: from_union([to_float, from_bool, from_str], x), x), from_none], self.settings)
        if self.text is not None:
            result["text"] = from_union([from_str, from_none], self.text)
        if self.run_id is not None:
            result["runId"] = from_union([from_str, from_none], self.run_id)
        if self.status is not None:
            result["status"] = from_union([from_str, from_none], self.status)
        if self.turn_id is not None:
            result["turnId"] = from_union([from_str, from_none], self.turn_id)
        if self.error is not None:
            result["error"] = from_union([from_str, from_none], self.error)
        if self.usage is not None:
            result["usage"] = from_union([lambda x: to_class(TentacledUsage, x), from_none], self.usage)
        if self.message_id is not None:
            result["messageId"] = from_union([from_str, from_none], self.message_id)
        if self.role is not None:
            result["role"] = from_union([lambda x: to_enum(PayloadRole, x), from_none], self.role)
        if self.audience is not None:
            result["audience"] = from_union([lambda x: from_list(lambda x: to_enum(Audience, x), x), from_none], self.audience)
        if self.blocks is not None:
            result["blocks"] = from_union([lambda x: from_list(lambda x: to_class(ResultElement, x), x), from_none], self.blocks)
        if self.display is not None:
            result["display"] = from_union([from_str, from_none], self.display)
        if self.injected is not None:
            result["injected"] = from_union([lambda x: to_enum(Injected, x), from_none], self.injected)
        if self.kind is not None:
            result["kind"] = from_union([lambda x: to_enum(PayloadKind, x), from_none], self.kind)
        if self.revision is not None:
            result["revision"] = from_union([to_float, from_none], self.revision)
        if self.stop_reason is not None:
            result["stopReason"] = from_union([from_str, from_none], self.stop_reason)
        if self.arguments is not None:
            result["arguments"] = self.arguments
        if self.name is not None:
            result["name"] = from_union([from_str, from_none], self.name)
        if self.tool_call_id is not None:
            result["toolCallId"] = from_union([from_str, from_none], self.tool_call_id)
        if self.content is not None:
            result["content"] = from_union([lambda x: from_list(lambda x: to_class(ResultElement, x), x), from_none], self.content)
        if self.detail is not None:
            result["detail"] = self.detail
        if self.is_error is not None:
            result["isError"] = from_union([from_bool, from_none], self.is_error)
        if self.result is not None:
            result["result"] = from_union([lambda x: from_list(lambda x: to_class(ResultElement, x), x), from_none], self.result)
        if self.synthetic is not None:
            result["synthetic"] = from_union([from_bool, from_none], self.synthetic)
        if self.tool_result_id is not None:
            result["toolResultId"] = from_union([from_str, from_none], self.tool_result_id)
        if self.approval_id is not None:
            result["approvalId"] = from_union([from_str, from_none], self.approval_id)
        if self.outcome is not None:
            result["outcome"] = from_union([from_str, from_none], self.outcome)
        if self.media_type is not None:
            result["mediaType"] = from_union([from_str, from_none], self.media_type)
        if self.uri is not None:
            result["uri"] = from_union([from_str, from_none], self.uri)
        if self.plan is not None:
            result["plan"] = from_union([lambda x: from_list(lambda x: to_class(FluffyPlan, x), x), from_none], self.plan)
        if self.client_action_id is not None:
            result["clientActionId"] = from_union([from_str, from_none], self.client_action_id)
        if self.context is not None:
            result["context"] = from_union([lambda x: from_list(lambda x: to_class(FluffyContext, x), x), from_none], self.context)
        if self.trigger is not None:
            result["trigger"] = from_union([lambda x: to_enum(Trigger, x), from_none], self.trigger)
        if self.turns is not None:
            result["turns"] = from_union([to_float, from_none], self.turns)
        if self.axis is not None:
            result["axis"] = from_union([from_str, from_none], self.axis)
        if self.native_type is not None:
            result["nativeType"] = from_union([from_str, from_none], self.native_type)
        if self.value is not None:
            result["value"] = self.value
        return result


@dataclass
class EvidenceSource:
    adapter: str
    authenticated: bool
    layer: Layer
    generation: Optional[int] = None
    native_event_id: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'EvidenceSource':
        assert isinstance(obj, dict)
        adapter = from_str(obj.get("adapter"))
        authenticated = from_bool(obj.get("authenticated"))
        layer = Layer(obj.get("layer"))
        generation = from_union([from_int, from_none], obj.get("generation"))
        native_event_id = from_union([from_str, from_none], obj.get("nativeEventId"))
        return EvidenceSource(adapter, authenticated, layer, generation, native_event_id)

    def to_dict(self) -> dict:
        result: dict = {}
        result["adapter"] = from_str(self.adapter)
        result["authenticated"] = from_bool(self.authenticated)
        result["layer"] = to_enum(Layer, self.layer)
        if self.generation is not None:
            result["generation"] = from_union([from_int, from_none], self.generation)
        if self.native_event_id is not None:
            result["nativeEventId"] = from_union([from_str, from_none], self.native_event_id)
        return result


@dataclass
class Evidence:
    authority: Authority
    confidence: float
    event_id: str
    payload: EvidencePayload
    schema_version: SchemaVersion
    session_id: str
    source: EvidenceSource
    timestamp: str
    type: EnvelopeType
    branch: Optional[str] = None
    branch_from: Optional[str] = None
    correlation: Optional[EvidenceCorrelation] = None
    entity_revision: Optional[int] = None
    evidence: Optional[List[EvidenceClass]] = None
    timestamp_from: Optional[TimestampFrom] = None

    @staticmethod
    def from_dict(obj: Any) -> 'Evidence':
        assert isinstance(obj, dict)
        authority = Authority(obj.get("authority"))
        confidence = from_float(obj.get("confidence"))
        event_id = from_str(obj.get("eventId"))
        payload = EvidencePayload.from_dict(obj.get("payload"))
        schema_version = SchemaVersion(obj.get("schemaVersion"))
        session_id = from_str(obj.get("sessionId"))
        source = EvidenceSource.from_dict(obj.get("source"))
        timestamp = from_str(obj.get("timestamp"))
        type = EnvelopeType(obj.get("type"))
        branch = from_union([from_str, from_none], obj.get("branch"))
        branch_from = from_union([from_str, from_none], obj.get("branchFrom"))
        correlation = from_union([EvidenceCorrelation.from_dict, from_none], obj.get("correlation"))
        entity_revision = from_union([from_int, from_none], obj.get("entityRevision"))
        evidence = from_union([lambda x: from_list(EvidenceClass.from_dict, x), from_none], obj.get("evidence"))
        timestamp_from = from_union([TimestampFrom, from_none], obj.get("timestampFrom"))
        return Evidence(authority, confidence, event_id, payload, schema_version, session_id, source, timestamp, type, branch, branch_from, correlation, entity_revision, evidence, timestamp_from)

    def to_dict(self) -> dict:
        result: dict = {}
        result["authority"] = to_enum(Authority, self.authority)
        result["confidence"] = to_float(self.confidence)
        result["eventId"] = from_str(self.event_id)
        result["payload"] = to_class(EvidencePayload, self.payload)
        result["schemaVersion"] = to_enum(SchemaVersion, self.schema_version)
        result["sessionId"] = from_str(self.session_id)
        result["source"] = to_class(EvidenceSource, self.source)
        result["timestamp"] = from_str(self.timestamp)
        result["type"] = to_enum(EnvelopeType, self.type)
        if self.branch is not None:
            result["branch"] = from_union([from_str, from_none], self.branch)
        if self.branch_from is not None:
            result["branchFrom"] = from_union([from_str, from_none], self.branch_from)
        if self.correlation is not None:
            result["correlation"] = from_union([lambda x: to_class(EvidenceCorrelation, x), from_none], self.correlation)
        if self.entity_revision is not None:
            result["entityRevision"] = from_union([from_int, from_none], self.entity_revision)
        if self.evidence is not None:
            result["evidence"] = from_union([lambda x: from_list(lambda x: to_class(EvidenceClass, x), x), from_none], self.evidence)
        if self.timestamp_from is not None:
            result["timestampFrom"] = from_union([lambda x: to_enum(TimestampFrom, x), from_none], self.timestamp_from)
        return result


class DeclaredValue(Enum):
    DROPPED = "dropped"
    EVIDENCE_ONLY = "evidence-only"
    NOT_IN_SOURCE = "not-in-source"
    PARTIAL = "partial"
    PRESERVED = "preserved"


@dataclass
class Fidelity:
    axis: str
    detail: str
    level: DeclaredValue

    @staticmethod
    def from_dict(obj: Any) -> 'Fidelity':
        assert isinstance(obj, dict)
        axis = from_str(obj.get("axis"))
        detail = from_str(obj.get("detail"))
        level = DeclaredValue(obj.get("level"))
        return Fidelity(axis, detail, level)

    def to_dict(self) -> dict:
        result: dict = {}
        result["axis"] = from_str(self.axis)
        result["detail"] = from_str(self.detail)
        result["level"] = to_enum(DeclaredValue, self.level)
        return result


class ASPBundleFormat(Enum):
    ASP_BUNDLE = "asp-bundle"


@dataclass
class ASPBundleNative:
    harness: str
    session_id: str
    source_path: Optional[str] = None
    source_sha256: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'ASPBundleNative':
        assert isinstance(obj, dict)
        harness = from_str(obj.get("harness"))
        session_id = from_str(obj.get("sessionId"))
        source_path = from_union([from_str, from_none], obj.get("sourcePath"))
        source_sha256 = from_union([from_str, from_none], obj.get("sourceSha256"))
        return ASPBundleNative(harness, session_id, source_path, source_sha256)

    def to_dict(self) -> dict:
        result: dict = {}
        result["harness"] = from_str(self.harness)
        result["sessionId"] = from_str(self.session_id)
        if self.source_path is not None:
            result["sourcePath"] = from_union([from_str, from_none], self.source_path)
        if self.source_sha256 is not None:
            result["sourceSha256"] = from_union([from_str, from_none], self.source_sha256)
        return result


@dataclass
class FluffyProvenance:
    adapter: str
    authenticated: bool
    layer: Layer
    observation_count: int
    source_event_ids: List[str]

    @staticmethod
    def from_dict(obj: Any) -> 'FluffyProvenance':
        assert isinstance(obj, dict)
        adapter = from_str(obj.get("adapter"))
        authenticated = from_bool(obj.get("authenticated"))
        layer = Layer(obj.get("layer"))
        observation_count = from_int(obj.get("observationCount"))
        source_event_ids = from_list(from_str, obj.get("sourceEventIds"))
        return FluffyProvenance(adapter, authenticated, layer, observation_count, source_event_ids)

    def to_dict(self) -> dict:
        result: dict = {}
        result["adapter"] = from_str(self.adapter)
        result["authenticated"] = from_bool(self.authenticated)
        result["layer"] = to_enum(Layer, self.layer)
        result["observationCount"] = from_int(self.observation_count)
        result["sourceEventIds"] = from_list(from_str, self.source_event_ids)
        return result


@dataclass
class ApprovalClass:
    created_at: str
    id: str
    provenance: FluffyProvenance
    revision: int
    state: State
    updated_at: str
    detail: Any = None
    outcome: Optional[str] = None
    tool_call_id: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'ApprovalClass':
        assert isinstance(obj, dict)
        created_at = from_str(obj.get("createdAt"))
        id = from_str(obj.get("id"))
        provenance = FluffyProvenance.from_dict(obj.get("provenance"))
        revision = from_int(obj.get("revision"))
        state = State(obj.get("state"))
        updated_at = from_str(obj.get("updatedAt"))
        detail = obj.get("detail")
        outcome = from_union([from_str, from_none], obj.get("outcome"))
        tool_call_id = from_union([from_str, from_none], obj.get("toolCallId"))
        return ApprovalClass(created_at, id, provenance, revision, state, updated_at, detail, outcome, tool_call_id)

    def to_dict(self) -> dict:
        result: dict = {}
        result["createdAt"] = from_str(self.created_at)
        result["id"] = from_str(self.id)
        result["provenance"] = to_class(FluffyProvenance, self.provenance)
        result["revision"] = from_int(self.revision)
        result["state"] = to_enum(State, self.state)
        result["updatedAt"] = from_str(self.updated_at)
        if self.detail is not None:
            result["detail"] = self.detail
        if self.outcome is not None:
            result["outcome"] = from_union([from_str, from_none], self.outcome)
        if self.tool_call_id is not None:
            result["toolCallId"] = from_union([from_str, from_none], self.tool_call_id)
        return result


@dataclass
class PivotCapabilities:
    read_only: bool
    settings: Dict[str, Union[float, bool, str]]

    @staticmethod
    def from_dict(obj: Any) -> 'PivotCapabilities':
        assert isinstance(obj, dict)
        read_only = from_bool(obj.get("readOnly"))
        settings = from_dict(lambda x: from_union([from_float, from_bool, from_str], x), obj.get("settings"))
        return PivotCapabilities(read_only, settings)

    def to_dict(self) -> dict:
        result: dict = {}
        result["readOnly"] = from_bool(self.read_only)
        result["settings"] = from_dict(lambda x: from_union([to_float, from_bool, from_str], x), self.settings)
        return result


@dataclass
class MessageClass:
    blocks: List[ResultElement]
    created_at: str
    id: str
    provenance: FluffyProvenance
    revision: int
    role: PayloadRole
    state: State
    updated_at: str
    audience: Optional[List[Audience]] = None
    branch: Optional[str] = None
    display: Optional[str] = None
    injected: Optional[Injected] = None
    kind: Optional[PayloadKind] = None
    model: Optional[str] = None
    run_id: Optional[str] = None
    stop_reason: Optional[str] = None
    turn_id: Optional[str] = None
    usage: Optional[TentacledUsage] = None

    @staticmethod
    def from_dict(obj: Any) -> 'MessageClass':
        assert isinstance(obj, dict)
        blocks = from_list(ResultElement.from_dict, obj.get("blocks"))
        created_at = from_str(obj.get("createdAt"))
        id = from_str(obj.get("id"))
        provenance = FluffyProvenance.from_dict(obj.get("provenance"))
        revision = from_int(obj.get("revision"))
        role = PayloadRole(obj.get("role"))
        state = State(obj.get("state"))
        updated_at = from_str(obj.get("updatedAt"))
        audience = from_union([lambda x: from_list(Audience, x), from_none], obj.get("audience"))
        branch = from_union([from_str, from_none], obj.get("branch"))
        display = from_union([from_str, from_none], obj.get("display"))
        injected = from_union([Injected, from_none], obj.get("injected"))
        kind = from_union([PayloadKind, from_none], obj.get("kind"))
        model = from_union([from_str, from_none], obj.get("model"))
        run_id = from_union([from_str, from_none], obj.get("runId"))
        stop_reason = from_union([from_str, from_none], obj.get("stopReason"))
        turn_id = from_union([from_str, from_none], obj.get("turnId"))
        usage = from_union([TentacledUsage.from_dict, from_none], obj.get("usage"))
        return MessageClass(blocks, created_at, id, provenance, revision, role, state, updated_at, audience, branch, display, injected, kind, model, run_id, stop_reason, turn_id, usage)

    def to_dict(self) -> dict:
        result: dict = {}
        result["blocks"] = from_list(lambda x: to_class(ResultElement, x), self.blocks)
        result["createdAt"] = from_str(self.created_at)
        result["id"] = from_str(self.id)
        result["provenance"] = to_class(FluffyProvenance, self.provenance)
        result["revision"] = from_int(self.revision)
        result["role"] = to_enum(PayloadRole, self.role)
        result["state"] = to_enum(State, self.state)
        result["updatedAt"] = from_str(self.updated_at)
        if self.audience is not None:
            result["audience"] = from_union([lambda x: from_list(lambda x: to_enum(Audience, x), x), from_none], self.audience)
        if self.branch is not None:
            result["branch"] = from_union([from_str, from_none], self.branch)
        if self.display is not None:
            result["display"] = from_union([from_str, from_none], self.display)
        if self.injected is not None:
            result["injected"] = from_union([lambda x: to_enum(Injected, x), from_none], self.injected)
        if self.kind is not None:
            result["kind"] = from_union([lambda x: to_enum(PayloadKind, x), from_none], self.kind)
        if self.model is not None:
            result["model"] = from_union([from_str, from_none], self.model)
        if self.run_id is not None:
            result["runId"] = from_union([from_str, from_none], self.run_id)
        if self.stop_reason is not None:
            result["stopReason"] = from_union([from_str, from_none], self.stop_reason)
        if self.turn_id is not None:
            result["turnId"] = from_union([from_str, from_none], self.turn_id)
        if self.usage is not None:
            result["usage"] = from_union([lambda x: to_class(TentacledUsage, x), from_none], self.usage)
        return result


@dataclass
class PendingActionClass:
    created_at: str
    id: str
    provenance: FluffyProvenance
    revision: int
    state: State
    updated_at: str
    detail: Any = None

    @staticmethod
    def from_dict(obj: Any) -> 'PendingActionClass':
        assert isinstance(obj, dict)
        created_at = from_str(obj.get("createdAt"))
        id = from_str(obj.get("id"))
        provenance = FluffyProvenance.from_dict(obj.get("provenance"))
        revision = from_int(obj.get("revision"))
        state = State(obj.get("state"))
        updated_at = from_str(obj.get("updatedAt"))
        detail = obj.get("detail")
        return PendingActionClass(created_at, id, provenance, revision, state, updated_at, detail)

    def to_dict(self) -> dict:
        result: dict = {}
        result["createdAt"] = from_str(self.created_at)
        result["id"] = from_str(self.id)
        result["provenance"] = to_class(FluffyProvenance, self.provenance)
        result["revision"] = from_int(self.revision)
        result["state"] = to_enum(State, self.state)
        result["updatedAt"] = from_str(self.updated_at)
        if self.detail is not None:
            result["detail"] = self.detail
        return result


@dataclass
class RunClass:
    created_at: str
    id: str
    provenance: FluffyProvenance
    revision: int
    state: State
    updated_at: str

    @staticmethod
    def from_dict(obj: Any) -> 'RunClass':
        assert isinstance(obj, dict)
        created_at = from_str(obj.get("createdAt"))
        id = from_str(obj.get("id"))
        provenance = FluffyProvenance.from_dict(obj.get("provenance"))
        revision = from_int(obj.get("revision"))
        state = State(obj.get("state"))
        updated_at = from_str(obj.get("updatedAt"))
        return RunClass(created_at, id, provenance, revision, state, updated_at)

    def to_dict(self) -> dict:
        result: dict = {}
        result["createdAt"] = from_str(self.created_at)
        result["id"] = from_str(self.id)
        result["provenance"] = to_class(FluffyProvenance, self.provenance)
        result["revision"] = from_int(self.revision)
        result["state"] = to_enum(State, self.state)
        result["updatedAt"] = from_str(self.updated_at)
        return result


@dataclass
class FluffyResult:
    content: List[ResultElement]
    is_error: bool
    detail: Any = None
    synthetic: Optional[bool] = None
    tool_result_id: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'FluffyResult':
        assert isinstance(obj, dict)
        content = from_list(ResultElement.from_dict, obj.get("content"))
        is_error = from_bool(obj.get("isError"))
        detail = obj.get("detail")
        synthetic = from_union([from_bool, from_none], obj.get("synthetic"))
        tool_result_id = from_union([from_str, from_none], obj.get("toolResultId"))
        return FluffyResult(content, is_error, detail, synthetic, tool_result_id)

    def to_dict(self) -> dict:
        result: dict = {}
        result["content"] = from_list(lambda x: to_class(ResultElement, x), self.content)
        result["isError"] = from_bool(self.is_error)
        if self.detail is not None:
            result["detail"] = self.detail
        if self.synthetic is not None:
            result["synthetic"] = from_union([from_bool, from_none], self.synthetic)
        if self.tool_result_id is not None:
            result["toolResultId"] = from_union([from_str, from_none], self.tool_result_id)
        return result


@dataclass
class ToolClass:
    created_at: str
    id: str
    name: str
    provenance: FluffyProvenance
    revision: int
    state: State
    updated_at: str
    arguments: Any = None
    branch: Optional[str] = None
    message_id: Optional[str] = None
    namespace: Optional[str] = None
    result: Optional[FluffyResult] = None
    run_id: Optional[str] = None
    turn_id: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'ToolClass':
        assert isinstance(obj, dict)
        created_at = from_str(obj.get("createdAt"))
        id = from_str(obj.get("id"))
        name = from_str(obj.get("name"))
        provenance = FluffyProvenance.from_dict(obj.get("provenance"))
        revision = from_int(obj.get("revision"))
        state = State(obj.get("state"))
        updated_at = from_str(obj.get("updatedAt"))
        arguments = obj.get("arguments")
        branch = from_union([from_str, from_none], obj.get("branch"))
        message_id = from_union([from_str, from_none], obj.get("messageId"))
        namespace = from_union([from_str, from_none], obj.get("namespace"))
        result = from_union([FluffyResult.from_dict, from_none], obj.get("result"))
        run_id = from_union([from_str, from_none], obj.get("runId"))
        turn_id = from_union([from_str, from_none], obj.get("turnId"))
        return ToolClass(created_at, id, name, provenance, revision, state, updated_at, arguments, branch, message_id, namespace, result, run_id, turn_id)

    def to_dict(self) -> dict:
        result: dict = {}
        result["createdAt"] = from_str(self.created_at)
        result["id"] = from_str(self.id)
        result["name"] = from_str(self.name)
        result["provenance"] = to_class(FluffyProvenance, self.provenance)
        result["revision"] = from_int(self.revision)
        result["state"] = to_enum(State, self.state)
        result["updatedAt"] = from_str(self.updated_at)
        result["arguments"] = self.arguments
        if self.branch is not None:
            result["branch"] = from_union([from_str, from_none], self.branch)
        if self.message_id is not None:
            result["messageId"] = from_union([from_str, from_none], self.message_id)
        if self.namespace is not None:
            result["namespace"] = from_union([from_str, from_none], self.namespace)
        if self.result is not None:
            result["result"] = from_union([lambda x: to_class(FluffyResult, x), from_none], self.result)
        if self.run_id is not None:
            result["runId"] = from_union([from_str, from_none], self.run_id)
        if self.turn_id is not None:
            result["turnId"] = from_union([from_str, from_none], self.turn_id)
        return result


@dataclass
class TurnClass:
    created_at: str
    id: str
    provenance: FluffyProvenance
    revision: int
    state: State
    updated_at: str
    error: Optional[str] = None
    run_id: Optional[str] = None
    usage: Optional[TentacledUsage] = None

    @staticmethod
    def from_dict(obj: Any) -> 'TurnClass':
        assert isinstance(obj, dict)
        created_at = from_str(obj.get("createdAt"))
        id = from_str(obj.get("id"))
        provenance = FluffyProvenance.from_dict(obj.get("provenance"))
        revision = from_int(obj.get("revision"))
        state = State(obj.get("state"))
        updated_at = from_str(obj.get("updatedAt"))
        error = from_union([from_str, from_none], obj.get("error"))
        run_id = from_union([from_str, from_none], obj.get("runId"))
        usage = from_union([TentacledUsage.from_dict, from_none], obj.get("usage"))
        return TurnClass(created_at, id, provenance, revision, state, updated_at, error, run_id, usage)

    def to_dict(self) -> dict:
        result: dict = {}
        result["createdAt"] = from_str(self.created_at)
        result["id"] = from_str(self.id)
        result["provenance"] = to_class(FluffyProvenance, self.provenance)
        result["revision"] = from_int(self.revision)
        result["state"] = to_enum(State, self.state)
        result["updatedAt"] = from_str(self.updated_at)
        if self.error is not None:
            result["error"] = from_union([from_str, from_none], self.error)
        if self.run_id is not None:
            result["runId"] = from_union([from_str, from_none], self.run_id)
        if self.usage is not None:
            result["usage"] = from_union([lambda x: to_class(TentacledUsage, x), from_none], self.usage)
        return result


@dataclass
class Pivot:
    approvals: List[ApprovalClass]
    capabilities: PivotCapabilities
    degraded_reasons: List[str]
    epoch: int
    id: str
    messages: List[MessageClass]
    native_session_id: str
    next_seq: int
    pending_actions: List[PendingActionClass]
    projection_version: ProjectionVersion
    revision: int
    runs: List[RunClass]
    schema_version: SchemaVersion
    seq: int
    status: SnapshotStatus
    tools: List[ToolClass]
    turns: List[TurnClass]
    cwd: Optional[str] = None
    git: Optional[PivotGit] = None
    model: Optional[str] = None
    title: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'Pivot':
        assert isinstance(obj, dict)
        approvals = from_list(ApprovalClass.from_dict, obj.get("approvals"))
        capabilities = PivotCapabilities.from_dict(obj.get("capabilities"))
        degraded_reasons = from_list(from_str, obj.get("degradedReasons"))
        epoch = from_int(obj.get("epoch"))
        id = from_str(obj.get("id"))
        messages = from_list(MessageClass.from_dict, obj.get("messages"))
        native_session_id = from_str(obj.get("nativeSessionId"))
        next_seq = from_int(obj.get("nextSeq"))
        pending_actions = from_list(PendingActionClass.from_dict, obj.get("pendingActions"))
        projection_version = ProjectionVersion(obj.get("projectionVersion"))
        revision = from_int(obj.get("revision"))
        runs = from_list(RunClass.from_dict, obj.get("runs"))
        schema_version = SchemaVersion(obj.get("schemaVersion"))
        seq = from_int(obj.get("seq"))
        status = SnapshotStatus(obj.get("status"))
        tools = from_list(ToolClass.from_dict, obj.get("tools"))
        turns = from_list(TurnClass.from_dict, obj.get("turns"))
        cwd = from_union([from_str, from_none], obj.get("cwd"))
        git = from_union([PivotGit.from_dict, from_none], obj.get("git"))
        model = from_union([from_str, from_none], obj.get("model"))
        title = from_union([from_str, from_none], obj.get("title"))
        return Pivot(approvals, capabilities, degraded_reasons, epoch, id, messages, native_session_id, next_seq, pending_actions, projection_version, revision, runs, schema_version, seq, status, tools, turns, cwd, git, model, title)

    def to_dict(self) -> dict:
        result: dict = {}
        result["approvals"] = from_list(lambda x: to_class(ApprovalClass, x), self.approvals)
        result["capabilities"] = to_class(PivotCapabilities, self.capabilities)
        result["degradedReasons"] = from_list(from_str, self.degraded_reasons)
        result["epoch"] = from_int(self.epoch)
        result["id"] = from_str(self.id)
        result["messages"] = from_list(lambda x: to_class(MessageClass, x), self.messages)
        result["nativeSessionId"] = from_str(self.native_session_id)
        result["nextSeq"] = from_int(self.next_seq)
        result["pendingActions"] = from_list(lambda x: to_class(PendingActionClass, x), self.pending_actions)
        result["projectionVersion"] = to_enum(ProjectionVersion, self.projection_version)
        result["revision"] = from_int(self.revision)
        result["runs"] = from_list(lambda x: to_class(RunClass, x), self.runs)
        result["schemaVersion"] = to_enum(SchemaVersion, self.schema_version)
        result["seq"] = from_int(self.seq)
        result["status"] = to_enum(SnapshotStatus, self.status)
        result["tools"] = from_list(lambda x: to_class(ToolClass, x), self.tools)
        result["turns"] = from_list(lambda x: to_class(TurnClass, x), self.turns)
        if self.cwd is not None:
            result["cwd"] = from_union([from_str, from_none], self.cwd)
        if self.git is not None:
            result["git"] = from_union([lambda x: to_class(PivotGit, x), from_none], self.git)
        if self.model is not None:
            result["model"] = from_union([from_str, from_none], self.model)
        if self.title is not None:
            result["title"] = from_union([from_str, from_none], self.title)
        return result


@dataclass
class ASPBundle:
    """One session in one file (asp-bundle, version 1)"""

    created_at: str
    evidence: List[Evidence]
    fidelity: List[Fidelity]
    format: ASPBundleFormat
    loss: List[str]
    native: ASPBundleNative
    pivot: Pivot
    version: float

    @staticmethod
    def from_dict(obj: Any) -> 'ASPBundle':
        assert isinstance(obj, dict)
        created_at = from_str(obj.get("createdAt"))
        evidence = from_list(Evidence.from_dict, obj.get("evidence"))
        fidelity = from_list(Fidelity.from_dict, obj.get("fidelity"))
        format = ASPBundleFormat(obj.get("format"))
        loss = from_list(from_str, obj.get("loss"))
        native = ASPBundleNative.from_dict(obj.get("native"))
        pivot = Pivot.from_dict(obj.get("pivot"))
        version = from_float(obj.get("version"))
        return ASPBundle(created_at, evidence, fidelity, format, loss, native, pivot, version)

    def to_dict(self) -> dict:
        result: dict = {}
        result["createdAt"] = from_str(self.created_at)
        result["evidence"] = from_list(lambda x: to_class(Evidence, x), self.evidence)
        result["fidelity"] = from_list(lambda x: to_class(Fidelity, x), self.fidelity)
        result["format"] = to_enum(ASPBundleFormat, self.format)
        result["loss"] = from_list(from_str, self.loss)
        result["native"] = to_class(ASPBundleNative, self.native)
        result["pivot"] = to_class(Pivot, self.pivot)
        result["version"] = to_float(self.version)
        return result


@dataclass
class AxeClass:
    degraded: int
    dropped: int
    kept: int

    @staticmethod
    def from_dict(obj: Any) -> 'AxeClass':
        assert isinstance(obj, dict)
        degraded = from_int(obj.get("degraded"))
        dropped = from_int(obj.get("dropped"))
        kept = from_int(obj.get("kept"))
        return AxeClass(degraded, dropped, kept)

    def to_dict(self) -> dict:
        result: dict = {}
        result["degraded"] = from_int(self.degraded)
        result["dropped"] = from_int(self.dropped)
        result["kept"] = from_int(self.kept)
        return result


class ItemKind(Enum):
    INSTRUCTIONS = "instructions"
    MEMORY = "memory"
    SETTINGS = "settings"
    SKILLS = "skills"
    TOOLS = "tools"


class ItemOutcome(Enum):
    CHANGED = "changed"
    LEFT = "left"
    PRESENT = "present"
    WRITTEN = "written"


@dataclass
class ReportItem:
    item: str
    kind: ItemKind
    outcome: ItemOutcome
    scope: str
    note: Optional[str] = None
    project: Optional[str] = None
    reason: Optional[Reason] = None

    @staticmethod
    def from_dict(obj: Any) -> 'ReportItem':
        assert isinstance(obj, dict)
        item = from_str(obj.get("item"))
        kind = ItemKind(obj.get("kind"))
        outcome = ItemOutcome(obj.get("outcome"))
        scope = from_str(obj.get("scope"))
        note = from_union([from_str, from_none], obj.get("note"))
        project = from_union([from_str, from_none], obj.get("project"))
        reason = from_union([Reason, from_none], obj.get("reason"))
        return ReportItem(item, kind, outcome, scope, note, project, reason)

    def to_dict(self) -> dict:
        result: dict = {}
        result["item"] = from_str(self.item)
        result["kind"] = to_enum(ItemKind, self.kind)
        result["outcome"] = to_enum(ItemOutcome, self.outcome)
        result["scope"] = from_str(self.scope)
        if self.note is not None:
            result["note"] = from_union([from_str, from_none], self.note)
        if self.project is not None:
            result["project"] = from_union([from_str, from_none], self.project)
        if self.reason is not None:
            result["reason"] = from_union([lambda x: to_enum(Reason, x), from_none], self.reason)
        return result


@dataclass
class ReportKind:
    read: int
    written: int

    @staticmethod
    def from_dict(obj: Any) -> 'ReportKind':
        assert isinstance(obj, dict)
        read = from_int(obj.get("read"))
        written = from_int(obj.get("written"))
        return ReportKind(read, written)

    def to_dict(self) -> dict:
        result: dict = {}
        result["read"] = from_int(self.read)
        result["written"] = from_int(self.written)
        return result


@dataclass
class PlaceClass:
    item: Optional[str] = None
    record: Optional[int] = None
    session: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'PlaceClass':
        assert isinstance(obj, dict)
        item = from_union([from_str, from_none], obj.get("item"))
        record = from_union([from_int, from_none], obj.get("record"))
        session = from_union([from_str, from_none], obj.get("session"))
        return PlaceClass(item, record, session)

    def to_dict(self) -> dict:
        result: dict = {}
        if self.item is not None:
            result["item"] = from_union([from_str, from_none], self.item)
        if self.record is not None:
            result["record"] = from_union([from_int, from_none], self.record)
        if self.session is not None:
            result["session"] = from_union([from_str, from_none], self.session)
        return result


@dataclass
class LossClass:
    axis: Axis
    count: int
    kind: LossKind
    level: LossLevel
    places: List[PlaceClass]
    reason: Reason

    @staticmethod
    def from_dict(obj: Any) -> 'LossClass':
        assert isinstance(obj, dict)
        axis = Axis(obj.get("axis"))
        count = from_int(obj.get("count"))
        kind = LossKind(obj.get("kind"))
        level = LossLevel(obj.get("level"))
        places = from_list(PlaceClass.from_dict, obj.get("places"))
        reason = Reason(obj.get("reason"))
        return LossClass(axis, count, kind, level, places, reason)

    def to_dict(self) -> dict:
        result: dict = {}
        result["axis"] = to_enum(Axis, self.axis)
        result["count"] = from_int(self.count)
        result["kind"] = to_enum(LossKind, self.kind)
        result["level"] = to_enum(LossLevel, self.level)
        result["places"] = from_list(lambda x: to_class(PlaceClass, x), self.places)
        result["reason"] = to_enum(Reason, self.reason)
        return result


@dataclass
class ReportNotTaken:
    kind: str
    reason: str
    item: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'ReportNotTaken':
        assert isinstance(obj, dict)
        kind = from_str(obj.get("kind"))
        reason = from_str(obj.get("reason"))
        item = from_union([from_str, from_none], obj.get("item"))
        return ReportNotTaken(kind, reason, item)

    def to_dict(self) -> dict:
        result: dict = {}
        result["kind"] = from_str(self.kind)
        result["reason"] = from_str(self.reason)
        if self.item is not None:
            result["item"] = from_union([from_str, from_none], self.item)
        return result


@dataclass
class ReportFrom:
    harness: str
    path: str
    versions: List[str]

    @staticmethod
    def from_dict(obj: Any) -> 'ReportFrom':
        assert isinstance(obj, dict)
        harness = from_str(obj.get("harness"))
        path = from_str(obj.get("path"))
        versions = from_list(from_str, obj.get("versions"))
        return ReportFrom(harness, path, versions)

    def to_dict(self) -> dict:
        result: dict = {}
        result["harness"] = from_str(self.harness)
        result["path"] = from_str(self.path)
        result["versions"] = from_list(from_str, self.versions)
        return result


class How(Enum):
    REPLAYED = "replayed"
    RETURNED = "returned"
    WRITTEN = "written"


class SessionOutcome(Enum):
    COPIED = "copied"
    CREATED = "created"
    UNCHANGED = "unchanged"


@dataclass
class FluffyRecords:
    evidence: int
    lost: int
    mapped: int
    read: int

    @staticmethod
    def from_dict(obj: Any) -> 'FluffyRecords':
        assert isinstance(obj, dict)
        evidence = from_int(obj.get("evidence"))
        lost = from_int(obj.get("lost"))
        mapped = from_int(obj.get("mapped"))
        read = from_int(obj.get("read"))
        return FluffyRecords(evidence, lost, mapped, read)

    def to_dict(self) -> dict:
        result: dict = {}
        result["evidence"] = from_int(self.evidence)
        result["lost"] = from_int(self.lost)
        result["mapped"] = from_int(self.mapped)
        result["read"] = from_int(self.read)
        return result


@dataclass
class FluffyTypeData:
    parent_run_id: Optional[str] = None
    parent_tool_call_id: Optional[str] = None
    source_harness: Optional[str] = None
    target_harness: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'FluffyTypeData':
        assert isinstance(obj, dict)
        parent_run_id = from_union([from_str, from_none], obj.get("parentRunId"))
        parent_tool_call_id = from_union([from_str, from_none], obj.get("parentToolCallId"))
        source_harness = from_union([from_str, from_none], obj.get("sourceHarness"))
        target_harness = from_union([from_str, from_none], obj.get("targetHarness"))
        return FluffyTypeData(parent_run_id, parent_tool_call_id, source_harness, target_harness)

    def to_dict(self) -> dict:
        result: dict = {}
        if self.parent_run_id is not None:
            result["parentRunId"] = from_union([from_str, from_none], self.parent_run_id)
        if self.parent_tool_call_id is not None:
            result["parentToolCallId"] = from_union([from_str, from_none], self.parent_tool_call_id)
        if self.source_harness is not None:
            result["sourceHarness"] = from_union([from_str, from_none], self.source_harness)
        if self.target_harness is not None:
            result["targetHarness"] = from_union([from_str, from_none], self.target_harness)
        return result


@dataclass
class PurpleRelation:
    created_at: str
    id: str
    source_session_id: str
    target_session_id: str
    type: RelationType
    type_data: Optional[FluffyTypeData] = None

    @staticmethod
    def from_dict(obj: Any) -> 'PurpleRelation':
        assert isinstance(obj, dict)
        created_at = from_str(obj.get("createdAt"))
        id = from_str(obj.get("id"))
        source_session_id = from_str(obj.get("sourceSessionId"))
        target_session_id = from_str(obj.get("targetSessionId"))
        type = RelationType(obj.get("type"))
        type_data = from_union([FluffyTypeData.from_dict, from_none], obj.get("typeData"))
        return PurpleRelation(created_at, id, source_session_id, target_session_id, type, type_data)

    def to_dict(self) -> dict:
        result: dict = {}
        result["createdAt"] = from_str(self.created_at)
        result["id"] = from_str(self.id)
        result["sourceSessionId"] = from_str(self.source_session_id)
        result["targetSessionId"] = from_str(self.target_session_id)
        result["type"] = to_enum(RelationType, self.type)
        if self.type_data is not None:
            result["typeData"] = from_union([lambda x: to_class(FluffyTypeData, x), from_none], self.type_data)
        return result


@dataclass
class PurpleResume:
    command: List[str]
    cwd: Optional[str] = None
    env: Optional[Dict[str, str]] = None
    first: Optional[List[List[str]]] = None

    @staticmethod
    def from_dict(obj: Any) -> 'PurpleResume':
        assert isinstance(obj, dict)
        command = from_list(from_str, obj.get("command"))
        cwd = from_union([from_str, from_none], obj.get("cwd"))
        env = from_union([lambda x: from_dict(from_str, x), from_none], obj.get("env"))
        first = from_union([lambda x: from_list(lambda x: from_list(from_str, x), x), from_none], obj.get("first"))
        return PurpleResume(command, cwd, env, first)

    def to_dict(self) -> dict:
        result: dict = {}
        result["command"] = from_list(from_str, self.command)
        if self.cwd is not None:
            result["cwd"] = from_union([from_str, from_none], self.cwd)
        if self.env is not None:
            result["env"] = from_union([lambda x: from_dict(from_str, x), from_none], self.env)
        if self.first is not None:
            result["first"] = from_union([lambda x: from_list(lambda x: from_list(from_str, x), x), from_none], self.first)
        return result


@dataclass
class PurpleReturned:
    bytes: int
    id: str

    @staticmethod
    def from_dict(obj: Any) -> 'PurpleReturned':
        assert isinstance(obj, dict)
        bytes = from_int(obj.get("bytes"))
        id = from_str(obj.get("id"))
        return PurpleReturned(bytes, id)

    def to_dict(self) -> dict:
        result: dict = {}
        result["bytes"] = from_int(self.bytes)
        result["id"] = from_str(self.id)
        return result


@dataclass
class SessionClass:
    files: List[str]
    harness: str
    how: How
    id: str
    messages: int
    new_id: str
    outcome: SessionOutcome
    records: FluffyRecords
    tool_calls: int
    cwd: Optional[str] = None
    parent: Optional[str] = None
    relation: Optional[PurpleRelation] = None
    resume: Optional[PurpleResume] = None
    returned: Optional[PurpleReturned] = None
    title: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'SessionClass':
        assert isinstance(obj, dict)
        files = from_list(from_str, obj.get("files"))
        harness = from_str(obj.get("harness"))
        how = How(obj.get("how"))
        id = from_str(obj.get("id"))
        messages = from_int(obj.get("messages"))
        new_id = from_str(obj.get("newId"))
        outcome = SessionOutcome(obj.get("outcome"))
        records = FluffyRecords.from_dict(obj.get("records"))
        tool_calls = from_int(obj.get("toolCalls"))
        cwd = from_union([from_str, from_none], obj.get("cwd"))
        parent = from_union([from_str, from_none], obj.get("parent"))
        relation = from_union([PurpleRelation.from_dict, from_none], obj.get("relation"))
        resume = from_union([PurpleResume.from_dict, from_none], obj.get("resume"))
        returned = from_union([PurpleReturned.from_dict, from_none], obj.get("returned"))
        title = from_union([from_str, from_none], obj.get("title"))
        return SessionClass(files, harness, how, id, messages, new_id, outcome, records, tool_calls, cwd, parent, relation, resume, returned, title)

    def to_dict(self) -> dict:
        result: dict = {}
        result["files"] = from_list(from_str, self.files)
        result["harness"] = from_str(self.harness)
        result["how"] = to_enum(How, self.how)
        result["id"] = from_str(self.id)
        result["messages"] = from_int(self.messages)
        result["newId"] = from_str(self.new_id)
        result["outcome"] = to_enum(SessionOutcome, self.outcome)
        result["records"] = to_class(FluffyRecords, self.records)
        result["toolCalls"] = from_int(self.tool_calls)
        if self.cwd is not None:
            result["cwd"] = from_union([from_str, from_none], self.cwd)
        if self.parent is not None:
            result["parent"] = from_union([from_str, from_none], self.parent)
        if self.relation is not None:
            result["relation"] = from_union([lambda x: to_class(PurpleRelation, x), from_none], self.relation)
        if self.resume is not None:
            result["resume"] = from_union([lambda x: to_class(PurpleResume, x), from_none], self.resume)
        if self.returned is not None:
            result["returned"] = from_union([lambda x: to_class(PurpleReturned, x), from_none], self.returned)
        if self.title is not None:
            result["title"] = from_union([from_str, from_none], self.title)
        return result


@dataclass
class ReportTo:
    harness: str
    path: str

    @staticmethod
    def from_dict(obj: Any) -> 'ReportTo':
        assert isinstance(obj, dict)
        harness = from_str(obj.get("harness"))
        path = from_str(obj.get("path"))
        return ReportTo(harness, path)

    def to_dict(self) -> dict:
        result: dict = {}
        result["harness"] = from_str(self.harness)
        result["path"] = from_str(self.path)
        return result


@dataclass
class ReportUnreadable:
    path: str
    reason: str

    @staticmethod
    def from_dict(obj: Any) -> 'ReportUnreadable':
        assert isinstance(obj, dict)
        path = from_str(obj.get("path"))
        reason = from_str(obj.get("reason"))
        return ReportUnreadable(path, reason)

    def to_dict(self) -> dict:
        result: dict = {}
        result["path"] = from_str(self.path)
        result["reason"] = from_str(self.reason)
        return result


@dataclass
class Report:
    """The report of a conversion (--json)"""

    asp: float
    axes: Dict[str, AxeClass]
    report_from: ReportFrom
    items: List[ReportItem]
    kinds: Dict[str, ReportKind]
    losses: List[LossClass]
    not_taken: List[ReportNotTaken]
    sessions: List[SessionClass]
    to: ReportTo
    dry_run: Optional[bool] = None
    receipt: Optional[str] = None
    redacted: Optional[Dict[str, int]] = None
    unreadable: Optional[List[ReportUnreadable]] = None

    @staticmethod
    def from_dict(obj: Any) -> 'Report':
        assert isinstance(obj, dict)
        asp = from_float(obj.get("asp"))
        axes = from_dict(AxeClass.from_dict, obj.get("axes"))
        report_from = ReportFrom.from_dict(obj.get("from"))
        items = from_list(ReportItem.from_dict, obj.get("items"))
        kinds = from_dict(ReportKind.from_dict, obj.get("kinds"))
        losses = from_list(LossClass.from_dict, obj.get("losses"))
        not_taken = from_list(ReportNotTaken.from_dict, obj.get("notTaken"))
        sessions = from_list(SessionClass.from_dict, obj.get("sessions"))
        to = ReportTo.from_dict(obj.get("to"))
        dry_run = from_union([from_bool, from_none], obj.get("dryRun"))
        receipt = from_union([from_str, from_none], obj.get("receipt"))
        redacted = from_union([lambda x: from_dict(from_int, x), from_none], obj.get("redacted"))
        unreadable = from_union([lambda x: from_list(ReportUnreadable.from_dict, x), from_none], obj.get("unreadable"))
        return Report(asp, axes, report_from, items, kinds, losses, not_taken, sessions, to, dry_run, receipt, redacted, unreadable)

    def to_dict(self) -> dict:
        result: dict = {}
        result["asp"] = to_float(self.asp)
        result["axes"] = from_dict(lambda x: to_class(AxeClass, x), self.axes)
        result["from"] = to_class(ReportFrom, self.report_from)
        result["items"] = from_list(lambda x: to_class(ReportItem, x), self.items)
        result["kinds"] = from_dict(lambda x: to_class(ReportKind, x), self.kinds)
        result["losses"] = from_list(lambda x: to_class(LossClass, x), self.losses)
        result["notTaken"] = from_list(lambda x: to_class(ReportNotTaken, x), self.not_taken)
        result["sessions"] = from_list(lambda x: to_class(SessionClass, x), self.sessions)
        result["to"] = to_class(ReportTo, self.to)
        if self.dry_run is not None:
            result["dryRun"] = from_union([from_bool, from_none], self.dry_run)
        if self.receipt is not None:
            result["receipt"] = from_union([from_str, from_none], self.receipt)
        if self.redacted is not None:
            result["redacted"] = from_union([lambda x: from_dict(from_int, x), from_none], self.redacted)
        if self.unreadable is not None:
            result["unreadable"] = from_union([lambda x: from_list(lambda x: to_class(ReportUnreadable, x), x), from_none], self.unreadable)
        return result


@dataclass
class BatchLineFrom:
    harness: str
    id: str
    path: str
    title: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'BatchLineFrom':
        assert isinstance(obj, dict)
        harness = from_str(obj.get("harness"))
        id = from_str(obj.get("id"))
        path = from_str(obj.get("path"))
        title = from_union([from_str, from_none], obj.get("title"))
        return BatchLineFrom(harness, id, path, title)

    def to_dict(self) -> dict:
        result: dict = {}
        result["harness"] = from_str(self.harness)
        result["id"] = from_str(self.id)
        result["path"] = from_str(self.path)
        if self.title is not None:
            result["title"] = from_union([from_str, from_none], self.title)
        return result


@dataclass
class Error:
    code: str
    message: str
    next: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'Error':
        assert isinstance(obj, dict)
        code = from_str(obj.get("code"))
        message = from_str(obj.get("message"))
        next = from_union([from_str, from_none], obj.get("next"))
        return Error(code, message, next)

    def to_dict(self) -> dict:
        result: dict = {}
        result["code"] = from_str(self.code)
        result["message"] = from_str(self.message)
        if self.next is not None:
            result["next"] = from_union([from_str, from_none], self.next)
        return result


@dataclass
class LossPlace:
    item: Optional[str] = None
    record: Optional[int] = None
    session: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'LossPlace':
        assert isinstance(obj, dict)
        item = from_union([from_str, from_none], obj.get("item"))
        record = from_union([from_int, from_none], obj.get("record"))
        session = from_union([from_str, from_none], obj.get("session"))
        return LossPlace(item, record, session)

    def to_dict(self) -> dict:
        result: dict = {}
        if self.item is not None:
            result["item"] = from_union([from_str, from_none], self.item)
        if self.record is not None:
            result["record"] = from_union([from_int, from_none], self.record)
        if self.session is not None:
            result["session"] = from_union([from_str, from_none], self.session)
        return result


@dataclass
class BatchLineLoss:
    axis: Axis
    count: int
    kind: LossKind
    level: LossLevel
    places: List[LossPlace]
    reason: Reason

    @staticmethod
    def from_dict(obj: Any) -> 'BatchLineLoss':
        assert isinstance(obj, dict)
        axis = Axis(obj.get("axis"))
        count = from_int(obj.get("count"))
        kind = LossKind(obj.get("kind"))
        level = LossLevel(obj.get("level"))
        places = from_list(LossPlace.from_dict, obj.get("places"))
        reason = Reason(obj.get("reason"))
        return BatchLineLoss(axis, count, kind, level, places, reason)

    def to_dict(self) -> dict:
        result: dict = {}
        result["axis"] = to_enum(Axis, self.axis)
        result["count"] = from_int(self.count)
        result["kind"] = to_enum(LossKind, self.kind)
        result["level"] = to_enum(LossLevel, self.level)
        result["places"] = from_list(lambda x: to_class(LossPlace, x), self.places)
        result["reason"] = to_enum(Reason, self.reason)
        return result


@dataclass
class TentacledRecords:
    evidence: int
    lost: int
    mapped: int
    read: int

    @staticmethod
    def from_dict(obj: Any) -> 'TentacledRecords':
        assert isinstance(obj, dict)
        evidence = from_int(obj.get("evidence"))
        lost = from_int(obj.get("lost"))
        mapped = from_int(obj.get("mapped"))
        read = from_int(obj.get("read"))
        return TentacledRecords(evidence, lost, mapped, read)

    def to_dict(self) -> dict:
        result: dict = {}
        result["evidence"] = from_int(self.evidence)
        result["lost"] = from_int(self.lost)
        result["mapped"] = from_int(self.mapped)
        result["read"] = from_int(self.read)
        return result


@dataclass
class Session:
    files: List[str]
    how: How
    id: str
    messages: int
    new_id: str
    records: TentacledRecords
    tool_calls: int
    parent: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'Session':
        assert isinstance(obj, dict)
        files = from_list(from_str, obj.get("files"))
        how = How(obj.get("how"))
        id = from_str(obj.get("id"))
        messages = from_int(obj.get("messages"))
        new_id = from_str(obj.get("newId"))
        records = TentacledRecords.from_dict(obj.get("records"))
        tool_calls = from_int(obj.get("toolCalls"))
        parent = from_union([from_str, from_none], obj.get("parent"))
        return Session(files, how, id, messages, new_id, records, tool_calls, parent)

    def to_dict(self) -> dict:
        result: dict = {}
        result["files"] = from_list(from_str, self.files)
        result["how"] = to_enum(How, self.how)
        result["id"] = from_str(self.id)
        result["messages"] = from_int(self.messages)
        result["newId"] = from_str(self.new_id)
        result["records"] = to_class(TentacledRecords, self.records)
        result["toolCalls"] = from_int(self.tool_calls)
        if self.parent is not None:
            result["parent"] = from_union([from_str, from_none], self.parent)
        return result


@dataclass
class SourceElement:
    bytes: int
    mtime_ms: float
    path: str
    sha256: str

    @staticmethod
    def from_dict(obj: Any) -> 'SourceElement':
        assert isinstance(obj, dict)
        bytes = from_int(obj.get("bytes"))
        mtime_ms = from_float(obj.get("mtimeMs"))
        path = from_str(obj.get("path"))
        sha256 = from_str(obj.get("sha256"))
        return SourceElement(bytes, mtime_ms, path, sha256)

    def to_dict(self) -> dict:
        result: dict = {}
        result["bytes"] = from_int(self.bytes)
        result["mtimeMs"] = to_float(self.mtime_ms)
        result["path"] = from_str(self.path)
        result["sha256"] = from_str(self.sha256)
        return result


class BatchLineStatus(Enum):
    DONE = "done"
    FAILED = "failed"


@dataclass
class BatchLine:
    """A line of a batch's report.ndjson"""

    asp: float
    batch_line_from: BatchLineFrom
    key: str
    losses: List[BatchLineLoss]
    sessions: List[Session]
    size: int
    sources: List[SourceElement]
    status: BatchLineStatus
    to: str
    error: Optional[Error] = None

    @staticmethod
    def from_dict(obj: Any) -> 'BatchLine':
        assert isinstance(obj, dict)
        asp = from_float(obj.get("asp"))
        batch_line_from = BatchLineFrom.from_dict(obj.get("from"))
        key = from_str(obj.get("key"))
        losses = from_list(BatchLineLoss.from_dict, obj.get("losses"))
        sessions = from_list(Session.from_dict, obj.get("sessions"))
        size = from_int(obj.get("size"))
        sources = from_list(SourceElement.from_dict, obj.get("sources"))
        status = BatchLineStatus(obj.get("status"))
        to = from_str(obj.get("to"))
        error = from_union([Error.from_dict, from_none], obj.get("error"))
        return BatchLine(asp, batch_line_from, key, losses, sessions, size, sources, status, to, error)

    def to_dict(self) -> dict:
        result: dict = {}
        result["asp"] = to_float(self.asp)
        result["from"] = to_class(BatchLineFrom, self.batch_line_from)
        result["key"] = from_str(self.key)
        result["losses"] = from_list(lambda x: to_class(BatchLineLoss, x), self.losses)
        result["sessions"] = from_list(lambda x: to_class(Session, x), self.sessions)
        result["size"] = from_int(self.size)
        result["sources"] = from_list(lambda x: to_class(SourceElement, x), self.sources)
        result["status"] = to_enum(BatchLineStatus, self.status)
        result["to"] = from_str(self.to)
        if self.error is not None:
            result["error"] = from_union([lambda x: to_class(Error, x), from_none], self.error)
        return result


@dataclass
class ComparisonAxe:
    degraded: int
    dropped: int
    kept: int

    @staticmethod
    def from_dict(obj: Any) -> 'ComparisonAxe':
        assert isinstance(obj, dict)
        degraded = from_int(obj.get("degraded"))
        dropped = from_int(obj.get("dropped"))
        kept = from_int(obj.get("kept"))
        return ComparisonAxe(degraded, dropped, kept)

    def to_dict(self) -> dict:
        result: dict = {}
        result["degraded"] = from_int(self.degraded)
        result["dropped"] = from_int(self.dropped)
        result["kept"] = from_int(self.kept)
        return result


@dataclass
class ComparisonFrom:
    harness: str
    path: str
    versions: List[str]

    @staticmethod
    def from_dict(obj: Any) -> 'ComparisonFrom':
        assert isinstance(obj, dict)
        harness = from_str(obj.get("harness"))
        path = from_str(obj.get("path"))
        versions = from_list(from_str, obj.get("versions"))
        return ComparisonFrom(harness, path, versions)

    def to_dict(self) -> dict:
        result: dict = {}
        result["harness"] = from_str(self.harness)
        result["path"] = from_str(self.path)
        result["versions"] = from_list(from_str, self.versions)
        return result


@dataclass
class ComparisonItem:
    item: str
    kind: ItemKind
    outcome: ItemOutcome
    scope: str
    note: Optional[str] = None
    project: Optional[str] = None
    reason: Optional[Reason] = None

    @staticmethod
    def from_dict(obj: Any) -> 'ComparisonItem':
        assert isinstance(obj, dict)
        item = from_str(obj.get("item"))
        kind = ItemKind(obj.get("kind"))
        outcome = ItemOutcome(obj.get("outcome"))
        scope = from_str(obj.get("scope"))
        note = from_union([from_str, from_none], obj.get("note"))
        project = from_union([from_str, from_none], obj.get("project"))
        reason = from_union([Reason, from_none], obj.get("reason"))
        return ComparisonItem(item, kind, outcome, scope, note, project, reason)

    def to_dict(self) -> dict:
        result: dict = {}
        result["item"] = from_str(self.item)
        result["kind"] = to_enum(ItemKind, self.kind)
        result["outcome"] = to_enum(ItemOutcome, self.outcome)
        result["scope"] = from_str(self.scope)
        if self.note is not None:
            result["note"] = from_union([from_str, from_none], self.note)
        if self.project is not None:
            result["project"] = from_union([from_str, from_none], self.project)
        if self.reason is not None:
            result["reason"] = from_union([lambda x: to_enum(Reason, x), from_none], self.reason)
        return result


@dataclass
class ComparisonKind:
    read: int
    written: int

    @staticmethod
    def from_dict(obj: Any) -> 'ComparisonKind':
        assert isinstance(obj, dict)
        read = from_int(obj.get("read"))
        written = from_int(obj.get("written"))
        return ComparisonKind(read, written)

    def to_dict(self) -> dict:
        result: dict = {}
        result["read"] = from_int(self.read)
        result["written"] = from_int(self.written)
        return result


@dataclass
class LossPlaceClass:
    item: Optional[str] = None
    record: Optional[int] = None
    session: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'LossPlaceClass':
        assert isinstance(obj, dict)
        item = from_union([from_str, from_none], obj.get("item"))
        record = from_union([from_int, from_none], obj.get("record"))
        session = from_union([from_str, from_none], obj.get("session"))
        return LossPlaceClass(item, record, session)

    def to_dict(self) -> dict:
        result: dict = {}
        if self.item is not None:
            result["item"] = from_union([from_str, from_none], self.item)
        if self.record is not None:
            result["record"] = from_union([from_int, from_none], self.record)
        if self.session is not None:
            result["session"] = from_union([from_str, from_none], self.session)
        return result


@dataclass
class ComparisonLoss:
    axis: Axis
    count: int
    kind: LossKind
    level: LossLevel
    places: List[LossPlaceClass]
    reason: Reason

    @staticmethod
    def from_dict(obj: Any) -> 'ComparisonLoss':
        assert isinstance(obj, dict)
        axis = Axis(obj.get("axis"))
        count = from_int(obj.get("count"))
        kind = LossKind(obj.get("kind"))
        level = LossLevel(obj.get("level"))
        places = from_list(LossPlaceClass.from_dict, obj.get("places"))
        reason = Reason(obj.get("reason"))
        return ComparisonLoss(axis, count, kind, level, places, reason)

    def to_dict(self) -> dict:
        result: dict = {}
        result["axis"] = to_enum(Axis, self.axis)
        result["count"] = from_int(self.count)
        result["kind"] = to_enum(LossKind, self.kind)
        result["level"] = to_enum(LossLevel, self.level)
        result["places"] = from_list(lambda x: to_class(LossPlaceClass, x), self.places)
        result["reason"] = to_enum(Reason, self.reason)
        return result


@dataclass
class ComparisonNotTaken:
    kind: str
    reason: str
    item: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'ComparisonNotTaken':
        assert isinstance(obj, dict)
        kind = from_str(obj.get("kind"))
        reason = from_str(obj.get("reason"))
        item = from_union([from_str, from_none], obj.get("item"))
        return ComparisonNotTaken(kind, reason, item)

    def to_dict(self) -> dict:
        result: dict = {}
        result["kind"] = from_str(self.kind)
        result["reason"] = from_str(self.reason)
        if self.item is not None:
            result["item"] = from_union([from_str, from_none], self.item)
        return result


@dataclass
class StickyRecords:
    evidence: int
    lost: int
    mapped: int
    read: int

    @staticmethod
    def from_dict(obj: Any) -> 'StickyRecords':
        assert isinstance(obj, dict)
        evidence = from_int(obj.get("evidence"))
        lost = from_int(obj.get("lost"))
        mapped = from_int(obj.get("mapped"))
        read = from_int(obj.get("read"))
        return StickyRecords(evidence, lost, mapped, read)

    def to_dict(self) -> dict:
        result: dict = {}
        result["evidence"] = from_int(self.evidence)
        result["lost"] = from_int(self.lost)
        result["mapped"] = from_int(self.mapped)
        result["read"] = from_int(self.read)
        return result


@dataclass
class TentacledTypeData:
    parent_run_id: Optional[str] = None
    parent_tool_call_id: Optional[str] = None
    source_harness: Optional[str] = None
    target_harness: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'TentacledTypeData':
        assert isinstance(obj, dict)
        parent_run_id = from_union([from_str, from_none], obj.get("parentRunId"))
        parent_tool_call_id = from_union([from_str, from_none], obj.get("parentToolCallId"))
        source_harness = from_union([from_str, from_none], obj.get("sourceHarness"))
        target_harness = from_union([from_str, from_none], obj.get("targetHarness"))
        return TentacledTypeData(parent_run_id, parent_tool_call_id, source_harness, target_harness)

    def to_dict(self) -> dict:
        result: dict = {}
        if self.parent_run_id is not None:
            result["parentRunId"] = from_union([from_str, from_none], self.parent_run_id)
        if self.parent_tool_call_id is not None:
            result["parentToolCallId"] = from_union([from_str, from_none], self.parent_tool_call_id)
        if self.source_harness is not None:
            result["sourceHarness"] = from_union([from_str, from_none], self.source_harness)
        if self.target_harness is not None:
            result["targetHarness"] = from_union([from_str, from_none], self.target_harness)
        return result


@dataclass
class FluffyRelation:
    created_at: str
    id: str
    source_session_id: str
    target_session_id: str
    type: RelationType
    type_data: Optional[TentacledTypeData] = None

    @staticmethod
    def from_dict(obj: Any) -> 'FluffyRelation':
        assert isinstance(obj, dict)
        created_at = from_str(obj.get("createdAt"))
        id = from_str(obj.get("id"))
        source_session_id = from_str(obj.get("sourceSessionId"))
        target_session_id = from_str(obj.get("targetSessionId"))
        type = RelationType(obj.get("type"))
        type_data = from_union([TentacledTypeData.from_dict, from_none], obj.get("typeData"))
        return FluffyRelation(created_at, id, source_session_id, target_session_id, type, type_data)

    def to_dict(self) -> dict:
        result: dict = {}
        result["createdAt"] = from_str(self.created_at)
        result["id"] = from_str(self.id)
        result["sourceSessionId"] = from_str(self.source_session_id)
        result["targetSessionId"] = from_str(self.target_session_id)
        result["type"] = to_enum(RelationType, self.type)
        if self.type_data is not None:
            result["typeData"] = from_union([lambda x: to_class(TentacledTypeData, x), from_none], self.type_data)
        return result


@dataclass
class FluffyResume:
    command: List[str]
    cwd: Optional[str] = None
    env: Optional[Dict[str, str]] = None
    first: Optional[List[List[str]]] = None

    @staticmethod
    def from_dict(obj: Any) -> 'FluffyResume':
        assert isinstance(obj, dict)
        command = from_list(from_str, obj.get("command"))
        cwd = from_union([from_str, from_none], obj.get("cwd"))
        env = from_union([lambda x: from_dict(from_str, x), from_none], obj.get("env"))
        first = from_union([lambda x: from_list(lambda x: from_list(from_str, x), x), from_none], obj.get("first"))
        return FluffyResume(command, cwd, env, first)

    def to_dict(self) -> dict:
        result: dict = {}
        result["command"] = from_list(from_str, self.command)
        if self.cwd is not None:
            result["cwd"] = from_union([from_str, from_none], self.cwd)
        if self.env is not None:
            result["env"] = from_union([lambda x: from_dict(from_str, x), from_none], self.env)
        if self.first is not None:
            result["first"] = from_union([lambda x: from_list(lambda x: from_list(from_str, x), x), from_none], self.first)
        return result


@dataclass
class FluffyReturned:
    bytes: int
    id: str

    @staticmethod
    def from_dict(obj: Any) -> 'FluffyReturned':
        assert isinstance(obj, dict)
        bytes = from_int(obj.get("bytes"))
        id = from_str(obj.get("id"))
        return FluffyReturned(bytes, id)

    def to_dict(self) -> dict:
        result: dict = {}
        result["bytes"] = from_int(self.bytes)
        result["id"] = from_str(self.id)
        return result


@dataclass
class ComparisonSession:
    files: List[str]
    harness: str
    how: How
    id: str
    messages: int
    new_id: str
    outcome: SessionOutcome
    records: StickyRecords
    tool_calls: int
    cwd: Optional[str] = None
    parent: Optional[str] = None
    relation: Optional[FluffyRelation] = None
    resume: Optional[FluffyResume] = None
    returned: Optional[FluffyReturned] = None
    title: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'ComparisonSession':
        assert isinstance(obj, dict)
        files = from_list(from_str, obj.get("files"))
        harness = from_str(obj.get("harness"))
        how = How(obj.get("how"))
        id = from_str(obj.get("id"))
        messages = from_int(obj.get("messages"))
        new_id = from_str(obj.get("newId"))
        outcome = SessionOutcome(obj.get("outcome"))
        records = StickyRecords.from_dict(obj.get("records"))
        tool_calls = from_int(obj.get("toolCalls"))
        cwd = from_union([from_str, from_none], obj.get("cwd"))
        parent = from_union([from_str, from_none], obj.get("parent"))
        relation = from_union([FluffyRelation.from_dict, from_none], obj.get("relation"))
        resume = from_union([FluffyResume.from_dict, from_none], obj.get("resume"))
        returned = from_union([FluffyReturned.from_dict, from_none], obj.get("returned"))
        title = from_union([from_str, from_none], obj.get("title"))
        return ComparisonSession(files, harness, how, id, messages, new_id, outcome, records, tool_calls, cwd, parent, relation, resume, returned, title)

    def to_dict(self) -> dict:
        result: dict = {}
        result["files"] = from_list(from_str, self.files)
        result["harness"] = from_str(self.harness)
        result["how"] = to_enum(How, self.how)
        result["id"] = from_str(self.id)
        result["messages"] = from_int(self.messages)
        result["newId"] = from_str(self.new_id)
        result["outcome"] = to_enum(SessionOutcome, self.outcome)
        result["records"] = to_class(StickyRecords, self.records)
        result["toolCalls"] = from_int(self.tool_calls)
        if self.cwd is not None:
            result["cwd"] = from_union([from_str, from_none], self.cwd)
        if self.parent is not None:
            result["parent"] = from_union([from_str, from_none], self.parent)
        if self.relation is not None:
            result["relation"] = from_union([lambda x: to_class(FluffyRelation, x), from_none], self.relation)
        if self.resume is not None:
            result["resume"] = from_union([lambda x: to_class(FluffyResume, x), from_none], self.resume)
        if self.returned is not None:
            result["returned"] = from_union([lambda x: to_class(FluffyReturned, x), from_none], self.returned)
        if self.title is not None:
            result["title"] = from_union([from_str, from_none], self.title)
        return result


@dataclass
class ComparisonTo:
    harness: str
    path: str

    @staticmethod
    def from_dict(obj: Any) -> 'ComparisonTo':
        assert isinstance(obj, dict)
        harness = from_str(obj.get("harness"))
        path = from_str(obj.get("path"))
        return ComparisonTo(harness, path)

    def to_dict(self) -> dict:
        result: dict = {}
        result["harness"] = from_str(self.harness)
        result["path"] = from_str(self.path)
        return result


@dataclass
class ComparisonUnreadable:
    path: str
    reason: str

    @staticmethod
    def from_dict(obj: Any) -> 'ComparisonUnreadable':
        assert isinstance(obj, dict)
        path = from_str(obj.get("path"))
        reason = from_str(obj.get("reason"))
        return ComparisonUnreadable(path, reason)

    def to_dict(self) -> dict:
        result: dict = {}
        result["path"] = from_str(self.path)
        result["reason"] = from_str(self.reason)
        return result


@dataclass
class Comparison:
    """The report of a comparison (compare --json)"""

    asp: float
    axes: Dict[str, ComparisonAxe]
    declared: Dict[str, DeclaredValue]
    comparison_from: ComparisonFrom
    items: List[ComparisonItem]
    kinds: Dict[str, ComparisonKind]
    losses: List[ComparisonLoss]
    not_taken: List[ComparisonNotTaken]
    sessions: List[ComparisonSession]
    to: ComparisonTo
    dry_run: Optional[bool] = None
    receipt: Optional[str] = None
    redacted: Optional[Dict[str, int]] = None
    unreadable: Optional[List[ComparisonUnreadable]] = None

    @staticmethod
    def from_dict(obj: Any) -> 'Comparison':
        assert isinstance(obj, dict)
        asp = from_float(obj.get("asp"))
        axes = from_dict(ComparisonAxe.from_dict, obj.get("axes"))
        declared = from_dict(DeclaredValue, obj.get("declared"))
        comparison_from = ComparisonFrom.from_dict(obj.get("from"))
        items = from_list(ComparisonItem.from_dict, obj.get("items"))
        kinds = from_dict(ComparisonKind.from_dict, obj.get("kinds"))
        losses = from_list(ComparisonLoss.from_dict, obj.get("losses"))
        not_taken = from_list(ComparisonNotTaken.from_dict, obj.get("notTaken"))
        sessions = from_list(ComparisonSession.from_dict, obj.get("sessions"))
        to = ComparisonTo.from_dict(obj.get("to"))
        dry_run = from_union([from_bool, from_none], obj.get("dryRun"))
        receipt = from_union([from_str, from_none], obj.get("receipt"))
        redacted = from_union([lambda x: from_dict(from_int, x), from_none], obj.get("redacted"))
        unreadable = from_union([lambda x: from_list(ComparisonUnreadable.from_dict, x), from_none], obj.get("unreadable"))
        return Comparison(asp, axes, declared, comparison_from, items, kinds, losses, not_taken, sessions, to, dry_run, receipt, redacted, unreadable)

    def to_dict(self) -> dict:
        result: dict = {}
        result["asp"] = to_float(self.asp)
        result["axes"] = from_dict(lambda x: to_class(ComparisonAxe, x), self.axes)
        result["declared"] = from_dict(lambda x: to_enum(DeclaredValue, x), self.declared)
        result["from"] = to_class(ComparisonFrom, self.comparison_from)
        result["items"] = from_list(lambda x: to_class(ComparisonItem, x), self.items)
        result["kinds"] = from_dict(lambda x: to_class(ComparisonKind, x), self.kinds)
        result["losses"] = from_list(lambda x: to_class(ComparisonLoss, x), self.losses)
        result["notTaken"] = from_list(lambda x: to_class(ComparisonNotTaken, x), self.not_taken)
        result["sessions"] = from_list(lambda x: to_class(ComparisonSession, x), self.sessions)
        result["to"] = to_class(ComparisonTo, self.to)
        if self.dry_run is not None:
            result["dryRun"] = from_union([from_bool, from_none], self.dry_run)
        if self.receipt is not None:
            result["receipt"] = from_union([from_str, from_none], self.receipt)
        if self.redacted is not None:
            result["redacted"] = from_union([lambda x: from_dict(from_int, x), from_none], self.redacted)
        if self.unreadable is not None:
            result["unreadable"] = from_union([lambda x: from_list(lambda x: to_class(ComparisonUnreadable, x), x), from_none], self.unreadable)
        return result


class ImportStatus(Enum):
    CYCLE = "cycle"
    DEEP = "deep"
    FOUND = "found"
    MISSING = "missing"
    OUTSIDE = "outside"


@dataclass
class Import:
    import_in: str
    path: str
    status: ImportStatus

    @staticmethod
    def from_dict(obj: Any) -> 'Import':
        assert isinstance(obj, dict)
        import_in = from_str(obj.get("in"))
        path = from_str(obj.get("path"))
        status = ImportStatus(obj.get("status"))
        return Import(import_in, path, status)

    def to_dict(self) -> dict:
        result: dict = {}
        result["in"] = from_str(self.import_in)
        result["path"] = from_str(self.path)
        result["status"] = to_enum(ImportStatus, self.status)
        return result


class FileScope(Enum):
    LOCAL = "local"
    PROJECT = "project"
    USER = "user"


@dataclass
class InstructionsFile:
    file_from: str
    path: str
    scope: FileScope
    source: str
    text: str
    globs: Optional[List[str]] = None
    imports: Optional[List[Import]] = None
    project: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'InstructionsFile':
        assert isinstance(obj, dict)
        file_from = from_str(obj.get("from"))
        path = from_str(obj.get("path"))
        scope = FileScope(obj.get("scope"))
        source = from_str(obj.get("source"))
        text = from_str(obj.get("text"))
        globs = from_union([lambda x: from_list(from_str, x), from_none], obj.get("globs"))
        imports = from_union([lambda x: from_list(Import.from_dict, x), from_none], obj.get("imports"))
        project = from_union([from_str, from_none], obj.get("project"))
        return InstructionsFile(file_from, path, scope, source, text, globs, imports, project)

    def to_dict(self) -> dict:
        result: dict = {}
        result["from"] = from_str(self.file_from)
        result["path"] = from_str(self.path)
        result["scope"] = to_enum(FileScope, self.scope)
        result["source"] = from_str(self.source)
        result["text"] = from_str(self.text)
        if self.globs is not None:
            result["globs"] = from_union([lambda x: from_list(from_str, x), from_none], self.globs)
        if self.imports is not None:
            result["imports"] = from_union([lambda x: from_list(lambda x: to_class(Import, x), x), from_none], self.imports)
        if self.project is not None:
            result["project"] = from_union([from_str, from_none], self.project)
        return result


@dataclass
class Instructions:
    """Portable instructions"""

    files: List[InstructionsFile]

    @staticmethod
    def from_dict(obj: Any) -> 'Instructions':
        assert isinstance(obj, dict)
        files = from_list(InstructionsFile.from_dict, obj.get("files"))
        return Instructions(files)

    def to_dict(self) -> dict:
        result: dict = {}
        result["files"] = from_list(lambda x: to_class(InstructionsFile, x), self.files)
        return result


@dataclass
class Limit:
    limit_in: str
    key: str
    value: Any = None

    @staticmethod
    def from_dict(obj: Any) -> 'Limit':
        assert isinstance(obj, dict)
        limit_in = from_str(obj.get("in"))
        key = from_str(obj.get("key"))
        value = obj.get("value")
        return Limit(limit_in, key, value)

    def to_dict(self) -> dict:
        result: dict = {}
        result["in"] = from_str(self.limit_in)
        result["key"] = from_str(self.key)
        result["value"] = self.value
        return result


@dataclass
class DefinitionNative:
    harness: str
    hash: str
    path: str
    text: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'DefinitionNative':
        assert isinstance(obj, dict)
        harness = from_str(obj.get("harness"))
        hash = from_str(obj.get("hash"))
        path = from_str(obj.get("path"))
        text = from_union([from_str, from_none], obj.get("text"))
        return DefinitionNative(harness, hash, path, text)

    def to_dict(self) -> dict:
        result: dict = {}
        result["harness"] = from_str(self.harness)
        result["hash"] = from_str(self.hash)
        result["path"] = from_str(self.path)
        if self.text is not None:
            result["text"] = from_union([from_str, from_none], self.text)
        return result


class Of(Enum):
    AGENT = "agent"
    COMMAND = "command"
    OUTPUT_STYLE = "output-style"


class DefinitionScope(Enum):
    PROJECT = "project"
    USER = "user"


@dataclass
class Items:
    body: str
    limits: List[Limit]
    name: str
    native: DefinitionNative
    of: Of
    options: Dict[str, Any]
    scope: DefinitionScope
    description: Optional[str] = None
    project: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'Items':
        assert isinstance(obj, dict)
        body = from_str(obj.get("body"))
        limits = from_list(Limit.from_dict, obj.get("limits"))
        name = from_str(obj.get("name"))
        native = DefinitionNative.from_dict(obj.get("native"))
        of = Of(obj.get("of"))
        options = from_dict(lambda x: x, obj.get("options"))
        scope = DefinitionScope(obj.get("scope"))
        description = from_union([from_str, from_none], obj.get("description"))
        project = from_union([from_str, from_none], obj.get("project"))
        return Items(body, limits, name, native, of, options, scope, description, project)

    def to_dict(self) -> dict:
        result: dict = {}
        result["body"] = from_str(self.body)
        result["limits"] = from_list(lambda x: to_class(Limit, x), self.limits)
        result["name"] = from_str(self.name)
        result["native"] = to_class(DefinitionNative, self.native)
        result["of"] = to_enum(Of, self.of)
        result["options"] = from_dict(lambda x: x, self.options)
        result["scope"] = to_enum(DefinitionScope, self.scope)
        if self.description is not None:
            result["description"] = from_union([from_str, from_none], self.description)
        if self.project is not None:
            result["project"] = from_union([from_str, from_none], self.project)
        return result


@dataclass
class SkillFile:
    mode: int
    path: str
    sha256: str
    size: int
    data: Optional[str] = None
    link: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'SkillFile':
        assert isinstance(obj, dict)
        mode = from_int(obj.get("mode"))
        path = from_str(obj.get("path"))
        sha256 = from_str(obj.get("sha256"))
        size = from_int(obj.get("size"))
        data = from_union([from_str, from_none], obj.get("data"))
        link = from_union([from_str, from_none], obj.get("link"))
        return SkillFile(mode, path, sha256, size, data, link)

    def to_dict(self) -> dict:
        result: dict = {}
        result["mode"] = from_int(self.mode)
        result["path"] = from_str(self.path)
        result["sha256"] = from_str(self.sha256)
        result["size"] = from_int(self.size)
        if self.data is not None:
            result["data"] = from_union([from_str, from_none], self.data)
        if self.link is not None:
            result["link"] = from_union([from_str, from_none], self.link)
        return result


@dataclass
class Restriction:
    restriction_in: str
    key: str
    value: Any = None

    @staticmethod
    def from_dict(obj: Any) -> 'Restriction':
        assert isinstance(obj, dict)
        restriction_in = from_str(obj.get("in"))
        key = from_str(obj.get("key"))
        value = obj.get("value")
        return Restriction(restriction_in, key, value)

    def to_dict(self) -> dict:
        result: dict = {}
        result["in"] = from_str(self.restriction_in)
        result["key"] = from_str(self.key)
        result["value"] = self.value
        return result


@dataclass
class Skill:
    files: List[SkillFile]
    name: str
    restrictions: List[Restriction]
    scope: DefinitionScope
    declared_name: Optional[str] = None
    description: Optional[str] = None
    path: Optional[str] = None
    project: Optional[str] = None
    runs: Optional[List[str]] = None

    @staticmethod
    def from_dict(obj: Any) -> 'Skill':
        assert isinstance(obj, dict)
        files = from_list(SkillFile.from_dict, obj.get("files"))
        name = from_str(obj.get("name"))
        restrictions = from_list(Restriction.from_dict, obj.get("restrictions"))
        scope = DefinitionScope(obj.get("scope"))
        declared_name = from_union([from_str, from_none], obj.get("declaredName"))
        description = from_union([from_str, from_none], obj.get("description"))
        path = from_union([from_str, from_none], obj.get("path"))
        project = from_union([from_str, from_none], obj.get("project"))
        runs = from_union([lambda x: from_list(from_str, x), from_none], obj.get("runs"))
        return Skill(files, name, restrictions, scope, declared_name, description, path, project, runs)

    def to_dict(self) -> dict:
        result: dict = {}
        result["files"] = from_list(lambda x: to_class(SkillFile, x), self.files)
        result["name"] = from_str(self.name)
        result["restrictions"] = from_list(lambda x: to_class(Restriction, x), self.restrictions)
        result["scope"] = to_enum(DefinitionScope, self.scope)
        if self.declared_name is not None:
            result["declaredName"] = from_union([from_str, from_none], self.declared_name)
        if self.description is not None:
            result["description"] = from_union([from_str, from_none], self.description)
        if self.path is not None:
            result["path"] = from_union([from_str, from_none], self.path)
        if self.project is not None:
            result["project"] = from_union([from_str, from_none], self.project)
        if self.runs is not None:
            result["runs"] = from_union([lambda x: from_list(from_str, x), from_none], self.runs)
        return result


@dataclass
class Skills:
    """Portable skills"""

    definitions: List[Items]
    skills: List[Skill]

    @staticmethod
    def from_dict(obj: Any) -> 'Skills':
        assert isinstance(obj, dict)
        definitions = from_list(Items.from_dict, obj.get("definitions"))
        skills = from_list(Skill.from_dict, obj.get("skills"))
        return Skills(definitions, skills)

    def to_dict(self) -> dict:
        result: dict = {}
        result["definitions"] = from_list(lambda x: to_class(Items, x), self.definitions)
        result["skills"] = from_list(lambda x: to_class(Skill, x), self.skills)
        return result


@dataclass
class Hook:
    event: str
    scope: FileScope
    type: str
    command: Optional[str] = None
    matcher: Optional[str] = None
    options: Optional[Dict[str, Any]] = None
    project: Optional[str] = None
    timeout: Optional[float] = None

    @staticmethod
    def from_dict(obj: Any) -> 'Hook':
        assert isinstance(obj, dict)
        event = from_str(obj.get("event"))
        scope = FileScope(obj.get("scope"))
        type = from_str(obj.get("type"))
        command = from_union([from_str, from_none], obj.get("command"))
        matcher = from_union([from_str, from_none], obj.get("matcher"))
        options = from_union([lambda x: from_dict(lambda x: x, x), from_none], obj.get("options"))
        project = from_union([from_str, from_none], obj.get("project"))
        timeout = from_union([from_float, from_none], obj.get("timeout"))
        return Hook(event, scope, type, command, matcher, options, project, timeout)

    def to_dict(self) -> dict:
        result: dict = {}
        result["event"] = from_str(self.event)
        result["scope"] = to_enum(FileScope, self.scope)
        result["type"] = from_str(self.type)
        if self.command is not None:
            result["command"] = from_union([from_str, from_none], self.command)
        if self.matcher is not None:
            result["matcher"] = from_union([from_str, from_none], self.matcher)
        if self.options is not None:
            result["options"] = from_union([lambda x: from_dict(lambda x: x, x), from_none], self.options)
        if self.project is not None:
            result["project"] = from_union([from_str, from_none], self.project)
        if self.timeout is not None:
            result["timeout"] = from_union([to_float, from_none], self.timeout)
        return result


@dataclass
class Env:
    name: str
    value: str

    @staticmethod
    def from_dict(obj: Any) -> 'Env':
        assert isinstance(obj, dict)
        name = from_str(obj.get("name"))
        value = from_str(obj.get("value"))
        return Env(name, value)

    def to_dict(self) -> dict:
        result: dict = {}
        result["name"] = from_str(self.name)
        result["value"] = from_str(self.value)
        return result


@dataclass
class Header:
    name: str
    value: str

    @staticmethod
    def from_dict(obj: Any) -> 'Header':
        assert isinstance(obj, dict)
        name = from_str(obj.get("name"))
        value = from_str(obj.get("value"))
        return Header(name, value)

    def to_dict(self) -> dict:
        result: dict = {}
        result["name"] = from_str(self.name)
        result["value"] = from_str(self.value)
        return result


class Approval(Enum):
    APPROVE = "approve"
    AUTO = "auto"
    PROMPT = "prompt"
    WRITES = "writes"


@dataclass
class ASPNative:
    harness: str
    value: Dict[str, Any]

    @staticmethod
    def from_dict(obj: Any) -> 'ASPNative':
        assert isinstance(obj, dict)
        harness = from_str(obj.get("harness"))
        value = from_dict(lambda x: x, obj.get("value"))
        return ASPNative(harness, value)

    def to_dict(self) -> dict:
        result: dict = {}
        result["harness"] = from_str(self.harness)
        result["value"] = from_dict(lambda x: x, self.value)
        return result


@dataclass
class Oauth:
    auth_server_metadata_url: Optional[str] = None
    callback_port: Optional[float] = None
    client_id: Optional[str] = None
    scopes: Optional[List[str]] = None

    @staticmethod
    def from_dict(obj: Any) -> 'Oauth':
        assert isinstance(obj, dict)
        auth_server_metadata_url = from_union([from_str, from_none], obj.get("authServerMetadataUrl"))
        callback_port = from_union([from_float, from_none], obj.get("callbackPort"))
        client_id = from_union([from_str, from_none], obj.get("clientId"))
        scopes = from_union([lambda x: from_list(from_str, x), from_none], obj.get("scopes"))
        return Oauth(auth_server_metadata_url, callback_port, client_id, scopes)

    def to_dict(self) -> dict:
        result: dict = {}
        if self.auth_server_metadata_url is not None:
            result["authServerMetadataUrl"] = from_union([from_str, from_none], self.auth_server_metadata_url)
        if self.callback_port is not None:
            result["callbackPort"] = from_union([to_float, from_none], self.callback_port)
        if self.client_id is not None:
            result["clientId"] = from_union([from_str, from_none], self.client_id)
        if self.scopes is not None:
            result["scopes"] = from_union([lambda x: from_list(from_str, x), from_none], self.scopes)
        return result


@dataclass
class Secret:
    at: str
    variable: str

    @staticmethod
    def from_dict(obj: Any) -> 'Secret':
        assert isinstance(obj, dict)
        at = from_str(obj.get("at"))
        variable = from_str(obj.get("variable"))
        return Secret(at, variable)

    def to_dict(self) -> dict:
        result: dict = {}
        result["at"] = from_str(self.at)
        result["variable"] = from_str(self.variable)
        return result


@dataclass
class ASP:
    scope: FileScope
    approval: Optional[Approval] = None
    call_timeout_ms: Optional[float] = None
    cwd: Optional[str] = None
    disabled_tools: Optional[List[str]] = None
    enabled: Optional[bool] = None
    enabled_tools: Optional[List[str]] = None
    literal: Optional[List[str]] = None
    native: Optional[ASPNative] = None
    oauth: Optional[Oauth] = None
    project: Optional[str] = None
    secrets: Optional[List[Secret]] = None
    startup_timeout_ms: Optional[float] = None
    tool_approval: Optional[Dict[str, Approval]] = None

    @staticmethod
    def from_dict(obj: Any) -> 'ASP':
        assert isinstance(obj, dict)
        scope = FileScope(obj.get("scope"))
        approval = from_union([Approval, from_none], obj.get("approval"))
        call_timeout_ms = from_union([from_float, from_none], obj.get("callTimeoutMs"))
        cwd = from_union([from_str, from_none], obj.get("cwd"))
        disabled_tools = from_union([lambda x: from_list(from_str, x), from_none], obj.get("disabledTools"))
        enabled = from_union([from_bool, from_none], obj.get("enabled"))
        enabled_tools = from_union([lambda x: from_list(from_str, x), from_none], obj.get("enabledTools"))
        literal = from_union([lambda x: from_list(from_str, x), from_none], obj.get("literal"))
        native = from_union([ASPNative.from_dict, from_none], obj.get("native"))
        oauth = from_union([Oauth.from_dict, from_none], obj.get("oauth"))
        project = from_union([from_str, from_none], obj.get("project"))
        secrets = from_union([lambda x: from_list(Secret.from_dict, x), from_none], obj.get("secrets"))
        startup_timeout_ms = from_union([from_float, from_none], obj.get("startupTimeoutMs"))
        tool_approval = from_union([lambda x: from_dict(Approval, x), from_none], obj.get("toolApproval"))
        return ASP(scope, approval, call_timeout_ms, cwd, disabled_tools, enabled, enabled_tools, literal, native, oauth, project, secrets, startup_timeout_ms, tool_approval)

    def to_dict(self) -> dict:
        result: dict = {}
        result["scope"] = to_enum(FileScope, self.scope)
        if self.approval is not None:
            result["approval"] = from_union([lambda x: to_enum(Approval, x), from_none], self.approval)
        if self.call_timeout_ms is not None:
            result["callTimeoutMs"] = from_union([to_float, from_none], self.call_timeout_ms)
        if self.cwd is not None:
            result["cwd"] = from_union([from_str, from_none], self.cwd)
        if self.disabled_tools is not None:
            result["disabledTools"] = from_union([lambda x: from_list(from_str, x), from_none], self.disabled_tools)
        if self.enabled is not None:
            result["enabled"] = from_union([from_bool, from_none], self.enabled)
        if self.enabled_tools is not None:
            result["enabledTools"] = from_union([lambda x: from_list(from_str, x), from_none], self.enabled_tools)
        if self.literal is not None:
            result["literal"] = from_union([lambda x: from_list(from_str, x), from_none], self.literal)
        if self.native is not None:
            result["native"] = from_union([lambda x: to_class(ASPNative, x), from_none], self.native)
        if self.oauth is not None:
            result["oauth"] = from_union([lambda x: to_class(Oauth, x), from_none], self.oauth)
        if self.project is not None:
            result["project"] = from_union([from_str, from_none], self.project)
        if self.secrets is not None:
            result["secrets"] = from_union([lambda x: from_list(lambda x: to_class(Secret, x), x), from_none], self.secrets)
        if self.startup_timeout_ms is not None:
            result["startupTimeoutMs"] = from_union([to_float, from_none], self.startup_timeout_ms)
        if self.tool_approval is not None:
            result["toolApproval"] = from_union([lambda x: from_dict(lambda x: to_enum(Approval, x), x), from_none], self.tool_approval)
        return result


@dataclass
class Meta:
    asp: ASP

    @staticmethod
    def from_dict(obj: Any) -> 'Meta':
        assert isinstance(obj, dict)
        asp = ASP.from_dict(obj.get("asp"))
        return Meta(asp)

    def to_dict(self) -> dict:
        result: dict = {}
        result["asp"] = to_class(ASP, self.asp)
        return result


class ServerType(Enum):
    HTTP = "http"
    SSE = "sse"
    STDIO = "stdio"
    WS = "ws"


@dataclass
class Server:
    meta: Meta
    name: str
    args: Optional[List[str]] = None
    command: Optional[str] = None
    env: Optional[List[Env]] = None
    type: Optional[ServerType] = None
    headers: Optional[List[Header]] = None
    url: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'Server':
        assert isinstance(obj, dict)
        meta = Meta.from_dict(obj.get("_meta"))
        name = from_str(obj.get("name"))
        args = from_union([lambda x: from_list(from_str, x), from_none], obj.get("args"))
        command = from_union([from_str, from_none], obj.get("command"))
        env = from_union([lambda x: from_list(Env.from_dict, x), from_none], obj.get("env"))
        type = from_union([ServerType, from_none], obj.get("type"))
        headers = from_union([lambda x: from_list(Header.from_dict, x), from_none], obj.get("headers"))
        url = from_union([from_str, from_none], obj.get("url"))
        return Server(meta, name, args, command, env, type, headers, url)

    def to_dict(self) -> dict:
        result: dict = {}
        result["_meta"] = to_class(Meta, self.meta)
        result["name"] = from_str(self.name)
        if self.args is not None:
            result["args"] = from_union([lambda x: from_list(from_str, x), from_none], self.args)
        if self.command is not None:
            result["command"] = from_union([from_str, from_none], self.command)
        if self.env is not None:
            result["env"] = from_union([lambda x: from_list(lambda x: to_class(Env, x), x), from_none], self.env)
        if self.type is not None:
            result["type"] = from_union([lambda x: to_enum(ServerType, x), from_none], self.type)
        if self.headers is not None:
            result["headers"] = from_union([lambda x: from_list(lambda x: to_class(Header, x), x), from_none], self.headers)
        if self.url is not None:
            result["url"] = from_union([from_str, from_none], self.url)
        return result


@dataclass
class Tools:
    """Portable MCP servers and hooks"""

    hooks: List[Hook]
    servers: List[Server]

    @staticmethod
    def from_dict(obj: Any) -> 'Tools':
        assert isinstance(obj, dict)
        hooks = from_list(Hook.from_dict, obj.get("hooks"))
        servers = from_list(Server.from_dict, obj.get("servers"))
        return Tools(hooks, servers)

    def to_dict(self) -> dict:
        result: dict = {}
        result["hooks"] = from_list(lambda x: to_class(Hook, x), self.hooks)
        result["servers"] = from_list(lambda x: to_class(Server, x), self.servers)
        return result


class NoteKind(Enum):
    INDEX = "index"
    NOTE = "note"


@dataclass
class NoteFrom:
    harness: str
    path: str
    project: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'NoteFrom':
        assert isinstance(obj, dict)
        harness = from_str(obj.get("harness"))
        path = from_str(obj.get("path"))
        project = from_union([from_str, from_none], obj.get("project"))
        return NoteFrom(harness, path, project)

    def to_dict(self) -> dict:
        result: dict = {}
        result["harness"] = from_str(self.harness)
        result["path"] = from_str(self.path)
        if self.project is not None:
            result["project"] = from_union([from_str, from_none], self.project)
        return result


@dataclass
class Note:
    note_from: NoteFrom
    path: str
    deleted: Optional[bool] = None
    kind: Optional[NoteKind] = None
    text: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'Note':
        assert isinstance(obj, dict)
        note_from = NoteFrom.from_dict(obj.get("from"))
        path = from_str(obj.get("path"))
        deleted = from_union([from_bool, from_none], obj.get("deleted"))
        kind = from_union([NoteKind, from_none], obj.get("kind"))
        text = from_union([from_str, from_none], obj.get("text"))
        return Note(note_from, path, deleted, kind, text)

    def to_dict(self) -> dict:
        result: dict = {}
        result["from"] = to_class(NoteFrom, self.note_from)
        result["path"] = from_str(self.path)
        if self.deleted is not None:
            result["deleted"] = from_union([from_bool, from_none], self.deleted)
        if self.kind is not None:
            result["kind"] = from_union([lambda x: to_enum(NoteKind, x), from_none], self.kind)
        if self.text is not None:
            result["text"] = from_union([from_str, from_none], self.text)
        return result


@dataclass
class Memory:
    """Portable memory notes"""

    notes: List[Note]

    @staticmethod
    def from_dict(obj: Any) -> 'Memory':
        assert isinstance(obj, dict)
        notes = from_list(Note.from_dict, obj.get("notes"))
        return Memory(notes)

    def to_dict(self) -> dict:
        result: dict = {}
        result["notes"] = from_list(lambda x: to_class(Note, x), self.notes)
        return result


class Category(Enum):
    ENVIRONMENT = "environment"
    MODE = "mode"
    MODEL = "model"
    THOUGHT_LEVEL = "thought_level"


@dataclass
class Option:
    id: str
    scope: FileScope
    value: Union[float, bool, str]
    category: Optional[Category] = None
    means: Optional[str] = None
    project: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'Option':
        assert isinstance(obj, dict)
        id = from_str(obj.get("id"))
        scope = FileScope(obj.get("scope"))
        value = from_union([from_float, from_bool, from_str], obj.get("value"))
        category = from_union([Category, from_none], obj.get("category"))
        means = from_union([from_str, from_none], obj.get("means"))
        project = from_union([from_str, from_none], obj.get("project"))
        return Option(id, scope, value, category, means, project)

    def to_dict(self) -> dict:
        result: dict = {}
        result["id"] = from_str(self.id)
        result["scope"] = to_enum(FileScope, self.scope)
        result["value"] = from_union([to_float, from_bool, from_str], self.value)
        if self.category is not None:
            result["category"] = from_union([lambda x: to_enum(Category, x), from_none], self.category)
        if self.means is not None:
            result["means"] = from_union([from_str, from_none], self.means)
        if self.project is not None:
            result["project"] = from_union([from_str, from_none], self.project)
        return result


class Effect(Enum):
    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


@dataclass
class Permission:
    effect: Effect
    rule: str
    scope: FileScope
    command: Optional[List[str]] = None
    project: Optional[str] = None

    @staticmethod
    def from_dict(obj: Any) -> 'Permission':
        assert isinstance(obj, dict)
        effect = Effect(obj.get("effect"))
        rule = from_str(obj.get("rule"))
        scope = FileScope(obj.get("scope"))
        command = from_union([lambda x: from_list(from_str, x), from_none], obj.get("command"))
        project = from_union([from_str, from_none], obj.get("project"))
        return Permission(effect, rule, scope, command, project)

    def to_dict(self) -> dict:
        result: dict = {}
        result["effect"] = to_enum(Effect, self.effect)
        result["rule"] = from_str(self.rule)
        result["scope"] = to_enum(FileScope, self.scope)
        if self.command is not None:
            result["command"] = from_union([lambda x: from_list(from_str, x), from_none], self.command)
        if self.project is not None:
            result["project"] = from_union([from_str, from_none], self.project)
        return result


@dataclass
class Settings:
    """Portable settings"""

    harness: str
    options: List[Option]
    permissions: Optional[List[Permission]] = None

    @staticmethod
    def from_dict(obj: Any) -> 'Settings':
        assert isinstance(obj, dict)
        harness = from_str(obj.get("harness"))
        options = from_list(Option.from_dict, obj.get("options"))
        permissions = from_union([lambda x: from_list(Permission.from_dict, x), from_none], obj.get("permissions"))
        return Settings(harness, options, permissions)

    def to_dict(self) -> dict:
        result: dict = {}
        result["harness"] = from_str(self.harness)
        result["options"] = from_list(lambda x: to_class(Option, x), self.options)
        if self.permissions is not None:
            result["permissions"] = from_union([lambda x: from_list(lambda x: to_class(Permission, x), x), from_none], self.permissions)
        return result


def envelope_from_dict(s: Any) -> Envelope:
    return Envelope.from_dict(s)


def envelope_to_dict(x: Envelope) -> Any:
    return to_class(Envelope, x)


def snapshot_from_dict(s: Any) -> Snapshot:
    return Snapshot.from_dict(s)


def snapshot_to_dict(x: Snapshot) -> Any:
    return to_class(Snapshot, x)


def relation_from_dict(s: Any) -> Relation:
    return Relation.from_dict(s)


def relation_to_dict(x: Relation) -> Any:
    return to_class(Relation, x)


def bundle_manifest_from_dict(s: Any) -> BundleManifest:
    return BundleManifest.from_dict(s)


def bundle_manifest_to_dict(x: BundleManifest) -> Any:
    return to_class(BundleManifest, x)


def asp_bundle_from_dict(s: Any) -> ASPBundle:
    return ASPBundle.from_dict(s)


def asp_bundle_to_dict(x: ASPBundle) -> Any:
    return to_class(ASPBundle, x)


def report_from_dict(s: Any) -> Report:
    return Report.from_dict(s)


def report_to_dict(x: Report) -> Any:
    return to_class(Report, x)


def batch_line_from_dict(s: Any) -> BatchLine:
    return BatchLine.from_dict(s)


def batch_line_to_dict(x: BatchLine) -> Any:
    return to_class(BatchLine, x)


def comparison_from_dict(s: Any) -> Comparison:
    return Comparison.from_dict(s)


def comparison_to_dict(x: Comparison) -> Any:
    return to_class(Comparison, x)


def instructions_from_dict(s: Any) -> Instructions:
    return Instructions.from_dict(s)


def instructions_to_dict(x: Instructions) -> Any:
    return to_class(Instructions, x)


def skills_from_dict(s: Any) -> Skills:
    return Skills.from_dict(s)


def skills_to_dict(x: Skills) -> Any:
    return to_class(Skills, x)


def tools_from_dict(s: Any) -> Tools:
    return Tools.from_dict(s)


def tools_to_dict(x: Tools) -> Any:
    return to_class(Tools, x)


def memory_from_dict(s: Any) -> Memory:
    return Memory.from_dict(s)


def memory_to_dict(x: Memory) -> Any:
    return to_class(Memory, x)


def settings_from_dict(s: Any) -> Settings:
    return Settings.from_dict(s)


def settings_to_dict(x: Settings) -> Any:
    return to_class(Settings, x)
