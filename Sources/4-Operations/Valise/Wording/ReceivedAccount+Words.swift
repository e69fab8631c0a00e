package import ValiseMoves

extension ReceivedAccount {
    /// What finishing the move does on the other machine.
    package var finishingText: String {
        isFromArchive
            ? "It asks for the words and retires the account there."
            : "It asks for the words, deletes the upload and retires the account there. If an app sent it: check that "
                + "everything is here, then finish in the app."
    }
}
