import ValiseChatLog

/// Removes the draft of a chat. The account is not touched.
package struct ForgetDraft: Operation {
    package var input: ConversationInput

    /// - Parameter input: the account and the one chat.
    package init(_ input: ConversationInput) { self.input = input }

    /// - Returns: whether there is one.
    package func plan(in context: OperationContext) async throws -> DraftRemoval {
        try await drafts(in: context) { DraftRemoval(found: try $0.draft(of: $1) != nil) }
    }

    /// - Throws: as for composing with a draft.
    package func run(in context: OperationContext) async throws -> DraftRemoval {
        try await drafts(in: context) { DraftRemoval(found: try $0.forget($1)) }
    }

    private func drafts(
        in context: OperationContext, _ body: @Sendable @escaping (DraftStore, String) throws -> DraftRemoval
    ) async throws -> DraftRemoval {
        try await input.read(to: "remove a draft", counts: false, in: context) {
            [input, folders = context.folders] source, account, _ in
            guard let account else {
                throw OperationError(
                    .unsupported, "an export has no drafts; only an account has", subject: input.path.string)
            }
            let conversation = try input.conversation(of: source) { _ in }
            return try body(DraftStore(of: input, account, in: folders), conversation.key)
        }
    }
}

/// Whether a chat had a draft.
package struct DraftRemoval: OperationReport {
    package let found: Bool
}
