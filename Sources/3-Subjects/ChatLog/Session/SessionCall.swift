import ValiseEncoding

/// How a call ended, as the programs store it: a word, or an object with one.
struct SessionCall {
    /// For people.
    let outcome: String
    let isOutgoing: Bool

    private static let words: [String: (outcome: String, isOutgoing: Bool)] = [
        "missed-call": ("missed", false), "missed": ("missed", false),
        "started-call": ("started", true), "outgoing": ("started", true),
        "answered-a-call": ("answered", false), "incoming": ("received", false),
        "permissionDenied": ("missed: calls are not allowed", false),
        "permissionDeniedMicrophone": ("missed: the microphone is not allowed", false),
    ]

    init(_ stored: String) {
        let state = JSONNode(parsing: stored)?["state"]
        let word = state?.textValue ?? state?.sum?.name ?? stored
        (outcome, isOutgoing) = Self.words[word] ?? (word.isEmpty ? "unknown outcome" : word, false)
    }
}
