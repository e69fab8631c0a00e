/// Every word of the columns of delivery, and some that are none.
enum SampleStatuses {
    private static let errors = [
        "auth", "quota", "expired", "relay host", "relay version", "relay other no route",
        "proxy smp8.example.org version", "proxy_relay smp8.example.org other BROKER timeout",
        "other no such queue",
        "SMP AUTH",
    ]

    /// Of what the user sent.
    static let sent: [String] =
        [
            "snd_new", "snd_sent", "snd_sent complete", "snd_sent partial", "snd_rcvd ok",
            "snd_rcvd ok complete",
            "snd_rcvd ok partial", "snd_rcvd badMsgHash complete", "snd_rcvd badMsgHash partial",
            "snd_error_auth",
            "invalid", "snd_rcvd maybe",
        ] + errors.map { "snd_error \($0)" } + errors.map { "snd_warning \($0)" }

    /// For each member of a group.
    static let members: [String] =
        [
            "snd_new", "snd_forwarded", "snd_inactive", "snd_sent complete", "snd_rcvd ok complete",
            "snd_rcvd badMsgHash complete", "snd_error_auth", "snd_sent",
        ] + errors.map { "snd_error \($0)" } + ["snd_warning relay host", "snd_warning expired"]

    /// Known emojis, one that is not, and a reaction of a kind to come.
    static let reactions: [OrderedJSON] =
        ["👍", "👎", "😀", "😂", "😢", "❤", "🚀", "✅", "🦀"].map {
            .object([("type", "emoji"), ("emoji", .text($0))])
        }
        + [["type": "wave", "hand": "left"]]
}
