import Valise

extension ComposeCommand {
    /// Removes the draft of the chat.
    func forgetDraft(of input: ConversationInput) throws {
        let removed = try output.run(ForgetDraft(input), Answers(passphrase))
        try output.print(removed, type: "draftForgotten") {
            removed.found ? "removed the draft" : "no draft was kept"
        }
    }
}
