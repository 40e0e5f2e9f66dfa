package plugin

import (
	"errors"
	"testing"

	"google.golang.org/grpc/codes"

	"github.com/quarterround/quarterround/plugin/proto"
)

// TestBatchReplies gives a batch of a message of 4 bytes to seal and one of 20 to
// open answers that do not fit: they are the plugin's failure, and no message has a
// result.
func TestBatchReplies(t *testing.T) {
	for name, reply := range map[string]*proto.BatchReply{
		"short":             {Lengths: []uint32{20, 4}, Content: make([]byte, 23)},
		"long":              {Lengths: []uint32{20, 4}, Content: make([]byte, 25)},
		"other lengths":     {Lengths: []uint32{4, 20}, Content: make([]byte, 24)},
		"a huge length":     {Lengths: []uint32{1 << 31, 4}, Content: make([]byte, 24)},
		"result of failure": {Lengths: []uint32{20, 4}, Content: make([]byte, 24), Failures: []*proto.BatchFailure{{Index: 1, Code: uint32(codes.DataLoss)}}},
		"no such message":   {Lengths: []uint32{20, 0}, Content: make([]byte, 20), Failures: []*proto.BatchFailure{{Index: 2, Code: uint32(codes.DataLoss)}}},
	} {
		if b := testBatch(); b.take(reply) == nil {
			t.Errorf("%s: taken", name)
		}
	}
	b := testBatch()
	reply := &proto.BatchReply{Lengths: []uint32{20, 0}, Content: make([]byte, 20), Failures: []*proto.BatchFailure{{Index: 1, Code: uint32(codes.DataLoss)}}}
	if err := b.take(reply); err != nil || len(b.messages[0].Result) != 20 || !errors.Is(b.messages[1].Err, ErrOpen) {
		t.Errorf("a good answer: %v", err)
	}
}

func testBatch() *batch {
	return &batch{plugin: &Plugin{}, messages: []*Message{{Data: make([]byte, 4)}, {Data: make([]byte, 20), Open: true}}}
}
