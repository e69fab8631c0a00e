import ArgumentParser
import Valise
import ValiseTerminal

/// `valise compose`.
struct ComposeCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "compose", abstract: "Show what a message would be, and which limits it meets.",
        discussion: """
            Composes a message for a chat by the rules of the app: what the chat allows, how large the message is, whether \
            files go through. Nothing is sent. The commands at the end can be pasted into the terminal client \
            (simplex-chat), one after the other, or sent over its WebSocket API (simplex-chat -p 5225), each as \
            {"corrId":"1","cmd":"…"}. Files must be readable there.

            Pictures are prepared by libvips and videos by ffmpeg, where they are installed. A message is named by its ID \
            or number, as 'chat show --json' prints them, or 'last'. The exit status is 1 if the message cannot be sent.
            """)

    @OptionGroup var account: ReadableAccountOptions

    @Option(help: ArgumentHelp("The chat, as for 'chat show'.", valueName: "chat"))
    var chat: String

    @Flag(help: "Include the chats of hidden profiles.")
    var hidden = false

    @OptionGroup var content: ComposeContentOptions
    @OptionGroup var links: ComposeLinkOptions
    @OptionGroup var draft: ComposeDraftOptions
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        try content.check(draft)
        if content.text == FileStreams.dash,
            passphrase.source.passphraseFd == FileDescriptor.standardInput.rawValue
        {
            throw ValidationError("cannot read both the text and the passphrase from standard input")
        }
    }

    func run() throws {
        let account = try account.choose(output)
        var input = ConversationInput(account.path, prefix: account.prefix, passphrase: passphrase.choice)
        input.selectors = [chat]
        input.includesHidden = hidden
        if draft.forgetDraft { return try forgetDraft(of: input) }
        var operation = ComposeMessage(input)
        try content.apply(to: &operation)
        operation.preview = links.limits
        operation.draft.restores = draft.restoreDraft
        operation.draft.keeps = draft.keepDraft
        let report = try output.run(operation, Answers(passphrase))
        try output.print(report, type: "composition") { ComposeText(report).text }
        if !report.isSendable { throw ExitStatusError(status: .failed) }
    }
}

/// What the message says and is about.
struct ComposeContentOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read the text from this file; - for standard input.", valueName: "file"),
        completion: .file())
    var text: String?

    @Option(help: ArgumentHelp("Reply to this message.", valueName: "message"))
    var replyTo: String?

    @Option(help: ArgumentHelp("Edit this message of yours.", valueName: "message"))
    var edit: String?

    @Option(
        help: ArgumentHelp("Attach a picture, a video or another file. Repeatable.", valueName: "file"),
        completion: .file())
    var attach: [String] = []

    @Flag(help: "Attach pictures and videos as files, unchanged and without a preview.")
    var asFiles = false

    @Option(
        help: ArgumentHelp("Write prepared pictures into this folder.", valueName: "dir"),
        completion: .directory)
    var prepared: String?

    @Option(help: ArgumentHelp("Make this M4A a voice message.", valueName: "file"), completion: .file())
    var voice: String?

    @Option(
        help: ArgumentHelp(
            "Mention this member, whose @name the text contains. Repeatable.", valueName: "name"))
    var mention: [String] = []

    @Flag(help: "Split a text that is too large into several messages.")
    var split = false

    fileprivate func check(_ draft: ComposeDraftOptions) throws {
        let isNothing = text == nil && attach.isEmpty && voice == nil && edit == nil && replyTo == nil
        if draft.forgetDraft {
            guard isNothing, !draft.keepDraft, !draft.restoreDraft else {
                throw ValidationError("--forget-draft goes with no other part of a message")
            }
        } else if isNothing, !draft.restoreDraft {
            throw ValidationError("Nothing to compose: give --text, --attach, --voice or --edit")
        }
        if edit != nil, replyTo != nil { throw ValidationError("--edit and --reply-to exclude each other") }
    }

    fileprivate func apply(to operation: inout ComposeMessage) throws {
        operation.text = try text.map(read)
        operation.reply = replyTo
        operation.edit = edit
        operation.attachments = attach.map { FilePath($0) }
        operation.attachesAsFiles = asFiles
        operation.prepared = prepared.map { FilePath($0) }
        operation.voice = voice.map { FilePath($0) }
        operation.mentions = mention
        operation.splits = split
    }

    /// The newline at the end is the file's, not the message's.
    private func read(_ name: String) throws -> String {
        let text =
            name == FileStreams.dash
            ? try StandardInput.text(limit: ComposeMessage.longestText)
            : try ComposeMessage.text(at: FilePath(name))
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}

/// What becomes of the links in the text.
struct ComposeLinkOptions: ParsableArguments {
    @Flag(help: "Load the page that the text links to, for a preview. Its server sees your address.")
    var preview = false

    @Flag(help: "Also load pages of this machine and of private networks.")
    var allowPrivate = false

    /// A proxy finds the addresses of names itself.
    private static let proxies = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]

    var limits: LoadLinkPreview.Limits? {
        guard preview else { return nil }
        var limits = LoadLinkPreview.Limits()
        limits.allowsPrivate = allowPrivate
        limits.isProxied = Self.proxies.contains { UserFolders.variable($0) != nil }
        return limits
    }

    func validate() throws {
        if allowPrivate, !preview { throw ValidationError("--allow-private requires --preview") }
    }
}

/// The draft of the chat, which is kept encrypted with a key that comes from the account's.
struct ComposeDraftOptions: ParsableArguments {
    @Flag(help: "Start from the draft of this chat.")
    var restoreDraft = false

    @Flag(help: "Keep the message as the draft of this chat, encrypted.")
    var keepDraft = false

    @Flag(help: "Remove the draft of this chat.")
    var forgetDraft = false
}
