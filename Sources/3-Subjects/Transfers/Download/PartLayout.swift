/// Where the bytes of an encrypted file lie once they are received: the content alone in one file, which is the
/// received file itself, what is before it in the journal, what is behind it in another file.
struct PartLayout: Sendable {
    enum Region: Sendable { case head, content, tail }

    /// Of the encrypted file, in bytes.
    let encryptedSize: Int64
    /// Of what is before the content, in bytes.
    let headSize: Int64
    /// In bytes.
    let contentSize: Int64
    /// Where the content begins in the received file, which has the parts before it too.
    let base: Int64

    private var contentEnd: Int64 { headSize + contentSize }

    /// Takes a range of the encrypted file apart: in each region, where it lies in the range and in its file.
    func stretches(of range: Range<Int64>) -> [(region: Region, range: Range<Int64>, place: Int64)] {
        [
            (Region.head, 0..<headSize, Int64(0)), (.content, headSize..<contentEnd, base),
            (.tail, contentEnd..<encryptedSize, 0),
        ].compactMap { region, whole, place in
            let common = range.clamped(to: whole)
            return common.isEmpty ? nil : (region, common, place + common.lowerBound - whole.lowerBound)
        }
    }
}
