extension String {
    /// As a name in SQL, whatever it holds. Where SQLite may take an unknown name for text, put a table's in front.
    package var quoted: String { "\"\(replacing("\"", with: "\"\""))\"" }
}
