import Valise

extension OperationError.Need {
    /// What helps with chats and their exports; none for other needs.
    var chatHints: [Hint] {
        switch self {
        case .updating: [Hint("bring it up to date", options: "--update")]
        case .knownChat: [Hint("see all chats", command: "chat list", nil)]
        case .chatID: [Hint("choose one by its ID")]
        default: []
        }
    }
}
